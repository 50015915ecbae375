import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";

/** Every table of a company or of a person. From the catalog, so that a new table is attacked by itself. */
export type Catalog = readonly Table[];

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that say until when somebody has a row to himself. */
  readonly leases: readonly string[];
}

export async function readCatalog(database: Database): Promise<Catalog> {
  return database.query<Table>(sql`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns,
      array_remove(array_agg(case when a.attname in ('leased_until', 'claimed_until') then a.attname::text end), null)
        as leases
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname
    having bool_or(a.attname in ('company_id', 'msisdn'))
    order by c.relname`);
}
