import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type TrailRow, toEntry } from "./store.ts";
import type { TrailEntry } from "./trail.ts";

/** One more change that each owner has to look at, but for whoever made it. */
export async function countUnseen(tx: Tx, companyId: string, madeBy: string | null): Promise<void> {
  await tx.query(sql`
    update memberships set unseen_changes = unseen_changes + 1
    where company_id = ${companyId} and role = 'owner' and person_id is distinct from ${madeBy}::uuid`);
}

/** Those that came meanwhile stay to be looked at. */
export async function updateUnseen(
  database: Database,
  companyId: string,
  personId: string,
  seen: number,
): Promise<void> {
  await database.execute(sql`
    update memberships set unseen_changes = greatest(unseen_changes - ${seen}, 0)
    where company_id = ${companyId} and person_id = ${personId}`);
}

/** The newest changes that others made. The list of actions is the index's: see toldToOwners. */
export async function selectChanges(
  database: Queryable,
  companyId: string,
  personId: string,
  limit: number,
): Promise<TrailEntry[]> {
  const rows = await database.query<TrailRow>(sql`
    select id, operator, key_id, person_id as by_person, address, via, action, company_id, subject, changes from company_trail
    where company_id = ${companyId} and person_id is distinct from ${personId}::uuid and action in (
      'member.invited', 'member.invitation_withdrawn', 'member.joined', 'member.role_changed', 'member.removed',
      'access.requested', 'access.confirmed', 'access.refused', 'access.withdrawn',
      'key.issued', 'key.replaced', 'key.revoked', 'company.changed', 'person.reset')
    order by id desc limit ${limit}`);
  return rows.map(toEntry);
}
