import type { Queryable, Writable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type Quota, termsOf } from "./quota.ts";

/** See spend_quota: in how many seconds it can be tried again; undefined: it was spent. */
export async function spend(
  database: Writable,
  companyId: string,
  { name, max }: Quota,
  count = 1,
): Promise<number | undefined> {
  const call = sql`
    select spend_quota(
      ${companyId}, ${name}, ${count}, ${max}, make_interval(secs => ${termsOf[name].windowSeconds})) as seconds`;
  const [row] = await database.execute<{ seconds: number | null }>(call);
  return row?.seconds ?? undefined;
}

/** In how many seconds the window ends that a company is in. */
export async function selectSecondsLeft(
  database: Queryable,
  companyId: string,
  { name }: Quota,
): Promise<number> {
  const [row] = await database.query<{ seconds: number }>(sql`
    select extract(epoch from since - now())::float8 + ${termsOf[name].windowSeconds} as seconds
    from quotas where company_id = ${companyId} and name = ${name}`);
  return row?.seconds ?? 0;
}
