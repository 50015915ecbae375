import type { Queryable } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";

export interface Column {
  readonly name: string;
  /** As pg_type names it. */
  readonly type: string;
  readonly isNullable: boolean;
  /** The values there are, of an enum. */
  readonly labels: readonly string[];
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
}

/** Every table of the installation, and every column of it, from the database's own catalog. */
export async function readCatalog(database: Queryable): Promise<Table[]> {
  const rows = await database.query<
    Column & { readonly table: string; readonly isKey: boolean }
  >(sql`
    select c.relname as "table", a.attname as name, t.typname as type, not a.attnotnull as "isNullable",
      coalesce((select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid), '{}')
        as labels,
      a.attnum = any (coalesce(i.indkey::smallint[], '{}')) as "isKey"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname, a.attnum`);
  const tables = new Map<string, Column[]>();
  const keys = new Map<string, string[]>();
  for (const { table, isKey, name, type, isNullable, labels } of rows) {
    const columns = tables.get(table) ?? [];
    columns.push({ name, type, isNullable, labels });
    tables.set(table, columns);
    if (isKey) keys.set(table, [...(keys.get(table) ?? []), name]);
  }
  return [...tables].map(([name, columns]) => ({ name, columns, key: keys.get(name) ?? [] }));
}
