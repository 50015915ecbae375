import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

const keptDays = 30;
const deletedAtOnceMax = 1_000;

/**
 * Deletes what has been finished for 30 days: deliveries with their attempts, and events nobody needs any
 * more. A bounded number; returns true when there may be more.
 */
export async function forgetDeliveries(database: Database, companyId: string): Promise<boolean> {
  const rows = await database.execute<{ more: boolean }>(sql`
    select forget_deliveries(${companyId}, make_interval(days => ${keptDays}), ${deletedAtOnceMax}) as more`);
  return rows[0]?.more ?? false;
}
