import pg from "pg";
import type { Database } from "../../src/database/database.ts";
import { sqlState } from "../../src/database/errors.ts";
import { sql } from "../../src/database/sql.ts";

/** What the attack knows of the schema comes from the catalog: it holds whatever tables there are. */
export interface Catalog {
  /** Every table of a company or of a person. */
  readonly tables: readonly Table[];
  /** Where a company's balances are. */
  readonly books: string;
  readonly wallets: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that say until when somebody has a row to himself. */
  readonly leases: readonly string[];
}

/** Names the row, or the few rows, that everybody locks who moves a company's money. */
const bookNames = ["books", "accounts"];
const walletNames = ["wallets"];

export async function readCatalog(database: Database): Promise<Catalog> {
  const tables = await database.query<Table>(sql`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns,
      array_remove(array_agg(case
        when a.atttypid = 'timestamptz'::regtype and a.attname ~ '_until$' then a.attname::text end), null) as leases
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = current_schema() and c.relkind in ('r', 'p')
    group by c.relname
    having bool_or(a.attname in ('company_id', 'msisdn'))
    order by c.relname`);
  const find = (names: readonly string[]) => {
    const found = names.find((name) => tables.some((table) => table.name === name));
    if (found === undefined) throw new Error(`no table is called ${names.join(" or ")}`);
    return found;
  };
  return { tables, books: find(bookNames), wallets: find(walletNames) };
}

const tableIsLocked = "55P03";

/**
 * As if every lease had run out just now: what a stall longer than all of them does, without the wait. A lease
 * whose row or table somebody has locked stays as it is.
 */
export async function lapseLeases(database: Database, { tables }: Catalog): Promise<void> {
  for (const { name, leases } of tables)
    for (const lease of leases)
      await lapse(database, pg.escapeIdentifier(name), pg.escapeIdentifier(lease));
}

async function lapse(database: Database, table: string, lease: string): Promise<void> {
  const text = `update ${table} set ${lease} = now() where ctid = any (array(
    select ctid from ${table} where ${lease} > now() for update skip locked))`;
  try {
    await database.transaction(async (tx) => {
      await tx.query(sql`set local lock_timeout = 500`);
      await tx.query({ text, values: [] });
    });
  } catch (error) {
    if (sqlState(error) !== tableIsLocked) throw error;
  }
}
