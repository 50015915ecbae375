import type { Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { CompanyRole } from "../staff/roles.ts";

/** A company's owners; nobody else changes whether they are until the commit. */
export async function lockOwners(tx: Tx, companyId: string): Promise<string[]> {
  const rows = await tx.query<{ person_id: string }>(sql`
    select person_id from memberships where company_id = ${companyId} and role = 'owner'
    order by person_id for update`);
  return rows.map(({ person_id }) => person_id);
}

export async function deleteMembership(
  tx: Tx,
  companyId: string,
  personId: string,
): Promise<CompanyRole | undefined> {
  const [row] = await tx.query<{ role: CompanyRole }>(sql`
    delete from memberships where company_id = ${companyId} and person_id = ${personId} returning role`);
  return row?.role;
}

/** Introducers are added to those whom the member has. */
export async function updateRole(
  tx: Tx,
  companyId: string,
  personId: string,
  role: CompanyRole,
  introducedBy: readonly string[],
): Promise<void> {
  const [row] = await tx.query<{ introduced_by: string[] }>(sql`
    select introduced_by from memberships where company_id = ${companyId} and person_id = ${personId} for update`);
  const introducers = [...new Set([...(row?.introduced_by ?? []), ...introducedBy])];
  await tx.query(sql`
    update memberships set role = ${role}, introduced_by = ${introducers}::uuid[]
    where company_id = ${companyId} and person_id = ${personId}`);
}
