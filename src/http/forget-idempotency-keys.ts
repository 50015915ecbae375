import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

const deletedAtOnceMax = 1_000;

/** Deletes keys older than 30 days, a bounded number; returns true when there may be more. */
export async function forgetIdempotencyKeys(
  database: Database,
  companyId: string,
): Promise<boolean> {
  const deleted = await database.query(sql`
    delete from idempotency_keys
    where company_id = ${companyId} and key in (
      select key from idempotency_keys
      where company_id = ${companyId} and created_at < now() - interval '30 days' and status_code > 0
      order by created_at limit ${deletedAtOnceMax})
    returning key`);
  return deleted.length === deletedAtOnceMax;
}
