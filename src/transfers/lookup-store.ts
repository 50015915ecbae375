import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { referenceForms } from "../kernel/reference-forms.ts";
import type { IdRange } from "../kernel/service-reference.ts";

/** A transfer or a batch, and whose it is. */
export interface Place {
  readonly companyId: string;
  readonly id: string;
}

/** More than one is enough to ask back. */
const placesMax = 10;

export async function selectTransferById(
  database: Queryable,
  companyIds: readonly string[],
  id: string,
): Promise<Place[]> {
  return database.query<Place>(sql`
    select company_id as "companyId", id from transfers
    where company_id = any (${companyIds}::uuid[]) and id = ${id} limit ${placesMax}`);
}

export async function selectTransfersByReference(
  database: Queryable,
  companyIds: readonly string[],
  reference: string,
): Promise<Place[]> {
  return database.query<Place>(sql`
    select company_id as "companyId", id from transfers
    where company_id = any (${companyIds}::uuid[]) and reference = any (${referenceForms(reference)}::text[]) and reference <> ''
    limit ${placesMax}`);
}

/** All of one millisecond; of them what has the same last 38 bits. */
export async function selectTransfersInRange(
  database: Queryable,
  companyIds: readonly string[],
  { from, before, random }: IdRange,
): Promise<Place[]> {
  return database.query<Place>(sql`
    select company_id as "companyId", id from transfers
    where company_id = any (${companyIds}::uuid[]) and id >= ${from} and id < ${before}
      and ('x' || right(id::text, 10))::bit(40)::bigint & ${2 ** 38 - 1} = ${random}
    limit ${placesMax}`);
}

export async function selectBatchById(
  database: Queryable,
  companyIds: readonly string[],
  id: string,
): Promise<Place[]> {
  return database.query<Place>(sql`
    select company_id as "companyId", id from batches
    where company_id = any (${companyIds}::uuid[]) and id = ${id} limit ${placesMax}`);
}
