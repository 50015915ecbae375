import type { Database, Queryable, Tx } from "../database/database.ts";
import { findInParts } from "../database/parts.ts";
import { type Query, sql } from "../database/sql.ts";
import type { ChainedFields, TrailHead, TrailName } from "./trail-chain.ts";

/** Before every id: an index of what waits is read from its beginning. */
const firstId = "00000000-0000-0000-0000-000000000000";

/** A head as it is kept, with the operator's signature. */
export interface SignedHead extends TrailHead {
  readonly keyId: string;
  readonly signature: Buffer;
}

/** An entry on its way into the chain, or in it. */
export interface ChainRow {
  readonly id: string;
  /** Whom it is about, where that is part of its primary key: a company, a person or a number. */
  readonly owner: string;
  readonly fields: ChainedFields;
  readonly number: number | null;
  readonly hash: Buffer | null;
}

/** Every column of an entry but its place in the chain: one that is new belongs at the end, for entries that have it. */
const companyFields = sql`array[company_id::text, id::text, operator, key_id::text, person_id::text, address, via, action, subject, changes]`;
const staffFields = sql`array[person_id::text, id::text, operator, by_person::text, address, via, action, changes]`;
const installationFields = sql`array[id::text, operator, via, action, subject, changes]`;
const customerFields = sql`array[msisdn, id::text, operator, via, action, changes]`;

function rowsOf(trail: TrailName): Query {
  if (trail === "staff")
    return sql`select id, person_id::text as owner, ${staffFields} as fields, number, hash from staff_trail where`;
  if (trail === "installation")
    return sql`select id, '' as owner, ${installationFields} as fields, number, hash from installation_trail where`;
  if (trail === "customers")
    return sql`select id, msisdn as owner, ${customerFields} as fields, number, hash from customer_trail where`;
  return sql`select id, company_id::text as owner, ${companyFields} as fields, number, hash from company_trail
    where company_id = ${trail.companyId} and`;
}

/** The oldest that are not chained yet. */
export async function selectUnchained(
  database: Queryable,
  trail: TrailName,
  limit: number,
): Promise<ChainRow[]> {
  return database.query<ChainRow>(
    sql`${rowsOf(trail)} number is null and id > ${firstId} order by id limit ${limit}`,
  );
}

/** Those that are chained, after a number, in their order. */
export async function selectChained(
  database: Queryable,
  trail: TrailName,
  after: number,
  limit: number,
): Promise<ChainRow[]> {
  return database.query<ChainRow>(
    sql`${rowsOf(trail)} number > ${after} order by number, id limit ${limit}`,
  );
}

export async function selectHead(
  database: Queryable,
  trail: TrailName,
): Promise<SignedHead | undefined> {
  const [head] = await database.query<SignedHead>(sql`
    select number, hash, key_id as "keyId", signature from ${whereHeadIs(trail)}`);
  return head;
}

/** The same, and nobody else chains anything of this trail until the commit. */
export async function lockHead(
  tx: Tx,
  trail: TrailName,
  first: TrailHead,
): Promise<SignedHead | undefined> {
  const unsigned = sql`${first.number}, ${first.hash}, '', ''::bytea`;
  await tx.query(
    typeof trail === "string"
      ? sql`insert into shared_trail_heads (trail, number, hash, key_id, signature) values (${trail}, ${unsigned})
          on conflict do nothing`
      : sql`insert into trail_heads (company_id, number, hash, key_id, signature) values (${trail.companyId}, ${unsigned})
          on conflict do nothing`,
  );
  const [head] = await tx.query<SignedHead>(sql`
    select number, hash, key_id as "keyId", signature from ${whereHeadIs(trail)} for update`);
  return head;
}

export async function updateHead(tx: Tx, trail: TrailName, head: SignedHead): Promise<void> {
  const values = sql`number = ${head.number}, hash = ${head.hash}, key_id = ${head.keyId}, signature = ${head.signature}`;
  await tx.query(
    typeof trail === "string"
      ? sql`update shared_trail_heads set ${values} where trail = ${trail}`
      : sql`update trail_heads set ${values} where company_id = ${trail.companyId}`,
  );
}

/** Gives entries their places, once. */
export async function updateChained(
  tx: Tx,
  trail: TrailName,
  rows: readonly (Pick<ChainRow, "id" | "owner"> & TrailHead)[],
): Promise<void> {
  const given = sql`unnest(${rows.map(({ owner }) => owner)}::text[], ${rows.map(({ id }) => id)}::uuid[],
    ${rows.map(({ number }) => number)}::bigint[], ${rows.map(({ hash }) => hash)}::bytea[]) as x(owner, id, number, hash)`;
  if (trail === "staff")
    await tx.query(sql`
      update staff_trail as t set number = x.number, hash = x.hash from ${given}
      where t.person_id = x.owner::uuid and t.id = x.id and t.number is null`);
  else if (trail === "installation")
    await tx.query(sql`
      update installation_trail as t set number = x.number, hash = x.hash from ${given}
      where t.id = x.id and t.number is null`);
  else if (trail === "customers")
    await tx.query(sql`
      update customer_trail as t set number = x.number, hash = x.hash from ${given}
      where t.msisdn = x.owner and t.id = x.id and t.number is null`);
  else
    await tx.query(sql`
      update company_trail as t set number = x.number, hash = x.hash from ${given}
      where t.company_id = ${trail.companyId} and t.id = x.id and t.number is null`);
}

function whereHeadIs(trail: TrailName): Query {
  return typeof trail === "string"
    ? sql`shared_trail_heads where trail = ${trail}`
    : sql`trail_heads where company_id = ${trail.companyId}`;
}

/** Companies with entries that are not chained yet. */
export async function selectUnchainedCompanies(
  database: Database,
  limit: number,
): Promise<string[]> {
  const rows = await findInParts(database, (which) =>
    database.query<{ company_id: string }>(sql`
      select distinct company_id from company_trail
      where number is null and company_id > ${firstId} and company_id ${which} limit ${limit}`),
  );
  return rows.map((row) => row.company_id);
}
