import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { referenceForms } from "../kernel/reference-forms.ts";

/** A charge, and whose it is. */
export interface ChargePlace {
  readonly companyId: string;
  readonly id: string;
}

/** More than one is enough to ask back. */
const placesMax = 10;

export async function selectChargeById(
  database: Queryable,
  companyIds: readonly string[],
  id: string,
): Promise<ChargePlace[]> {
  return database.query<ChargePlace>(sql`
    select company_id as "companyId", id from charges
    where company_id = any (${companyIds}::uuid[]) and id = ${id} limit ${placesMax}`);
}

export async function selectChargesByExternalId(
  database: Queryable,
  companyIds: readonly string[],
  externalId: string,
): Promise<ChargePlace[]> {
  return database.query<ChargePlace>(sql`
    select company_id as "companyId", id from charges
    where company_id = any (${companyIds}::uuid[]) and external_id = any (${referenceForms(externalId)}::text[]) and external_id <> ''
    limit ${placesMax}`);
}
