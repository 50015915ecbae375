import type { Database } from "../src/database/database.ts";

/**
 * Sets a time of every row of a table back, as if so long had passed: `span` is what an interval says. What is written is worked out
 * before, because a database that is split refuses to do it while it writes.
 */
export async function setBack(
  database: Database,
  table: string,
  column: string,
  span: string,
  where = "true",
): Promise<void> {
  const times = await database.query<{ was: string; is: string }>({
    text: `select ${column}::text as was, (${column} - $1::interval)::text as is from ${table}
      where ${where} group by ${column} order by ${column}`,
    values: [span],
  });
  for (const { was, is } of times)
    await database.query({
      text: `update ${table} set ${column} = $1 where ${column} = $2 and ${where}`,
      values: [is, was],
    });
}
