import type { Database, Queryable, Tx } from "../database/database.ts";
import { findInParts } from "../database/parts.ts";
import { type Query, sql } from "../database/sql.ts";

/** Before every id. */
export const noCharge = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** The list whose lock is held by whoever binds something of a company. */
const list = "bound";
/** Longer than a statement may take. */
const onItsWayMs = 60_000;

/** The digest of some charges `c`, in one group: everything that never changes of them. One hash a charge, because there may be many. */
export const digestOfTerms = digestOf(
  sql`jsonb_build_array(c.id, c.external_id, c.external_id_given, c.description, c.amount, c.fee, c.fee_rate_ppm, c.metadata,
    c.sub_company_id, c.on_canceled_redirection_url, c.on_completed_redirection_url, extract(epoch from c.created_at),
    extract(epoch from c.expires_at))`,
  sql`c.id`,
);

function digestOf(row: Query, order: Query): Query {
  return sql`encode(sha256(string_agg(sha256(convert_to((${row})::text, 'UTF8')), ''::bytea order by ${order})), 'hex')`;
}

/** Nobody else binds anything of this company until the commit. */
export async function lockBinding(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`select ms from take_places(${companyId}, ${list}, 1)`);
}

/** The newest charge that is bound; undefined: none is. */
export async function selectBoundUpto(
  database: Queryable,
  companyId: string,
): Promise<string | undefined> {
  const [last] = await database.query<{ subject: string }>(sql`
    select subject from company_trail
    where company_id = ${companyId} and action = 'charges.bound' order by id desc limit 1`);
  return last?.subject;
}

/** Charges in the order of their ids, which is that of their commits. */
export interface Stretch {
  readonly upto: string;
  readonly count: number;
  readonly digest: string;
}

/** The next ones after a charge, at most so many; undefined when there are none. */
export async function selectStretch(
  database: Queryable,
  companyId: string,
  after: string | undefined,
  limit: number,
): Promise<Stretch | undefined> {
  const [stretch] = await database.query<Stretch>(sql`
    select max(c.id::text) as upto, count(*) as count, ${digestOfTerms} as digest
    from (
      select * from charges
      where company_id = ${companyId} and id > coalesce(${after ?? null}::uuid, ${noCharge}) order by id limit ${limit}
    ) c having count(*) > 0`);
  return stretch;
}

/**
 * Charges that came since something was bound last, by the ends of both lists: a small table. One that was on its way then may bear an
 * earlier time, so somebody looks once more.
 */
const mayBeUnbound = sql`(b.last_ms is null or l.last_ms > b.last_ms - ${onItsWayMs}::bigint)`;

/** Whether a company may have charges that are not bound. */
export async function hasNewCharges(database: Queryable, companyId: string): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from list_ends l
    left join list_ends b on b.company_id = ${companyId} and b.list = ${list}
    where l.company_id = ${companyId} and l.list = 'charges' and ${mayBeUnbound}`);
  return rows.length > 0;
}

/** Companies that may have charges which are not bound, but for those of which some were bound so shortly ago. */
export async function selectUnboundCompanies(
  database: Database,
  pauseSeconds: number,
  limit: number,
): Promise<string[]> {
  const rows = await findInParts(database, (which) =>
    database.query<{ company_id: string }>(sql`
      select l.company_id from list_ends l
      left join list_ends b on b.company_id = l.company_id and b.company_id ${which} and b.list = ${list}
      where l.list = 'charges' and l.company_id ${which} and ${mayBeUnbound}
        and (b.last_ms is null or b.last_ms < (extract(epoch from clock_timestamp()) - ${pauseSeconds}) * 1000)
      limit ${limit}`),
  );
  return rows.map((row) => row.company_id);
}
