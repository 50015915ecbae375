import { expect } from "vitest";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";

/** Every row of every table, as text: what a thief of the database would read. */
export async function storedRows(database: Database): Promise<string[]> {
  const tables = await database.query<{ name: string }>(sql`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`);
  expect(tables.length).toBeGreaterThan(10);
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await database.query<{ row: string }>({
      text: `select t::text as row from ${name} t`,
      values: [],
    });
    rows.push(...found.map(({ row }) => `${name}: ${row}`));
  }
  return rows;
}
