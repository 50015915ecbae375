import pg from "pg";
import type { TestDatabase } from "./fixtures.ts";

/** What every table holds, each as one short text: whether anything changed. Columns that may are left out, by table. */
export async function contentsOf(
  { url }: TestDatabase,
  leftOut: Readonly<Record<string, readonly string[]>> = {},
): Promise<Readonly<Record<string, string>>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`);
    const contents: Record<string, string> = {};
    for (const { name } of tables.rows) {
      const row = `(to_jsonb(t) - $1::text[])::text`;
      const { rows } = await client.query<{ text: string | null }>(
        `select md5(string_agg(${row}, ' ' order by ${row})) as text from ${name} t`,
        [leftOut[name] ?? []],
      );
      contents[name] = rows[0]?.text ?? "";
    }
    return contents;
  } finally {
    await client.end();
  }
}
