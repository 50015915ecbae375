import type { Queryable, Tx } from "./database.ts";
import { sql } from "./sql.ts";

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Tables that its rows refer to. */
  readonly needs: readonly string[];
  /** What `copy` reads of it: a table that has parts has its rows in those. */
  readonly source: string;
  /** The table as statements name it. */
  readonly quoted: string;
  /** The table and its columns, as `copy` names them. */
  readonly place: string;
}

/** Every table, with the columns that are written and not computed. */
export function selectTables(database: Queryable): Promise<Table[]> {
  return database.query<Table>(sql`
    select c.relname as name, quote_ident(c.relname) as quoted,
      array_agg(a.attname::text order by a.attnum) as columns,
      quote_ident(c.relname) || ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attnum) || ')' as place,
      case when c.relkind = 'p' then '(select ' || string_agg(quote_ident(a.attname), ', ' order by a.attnum)
          || ' from ' || quote_ident(c.relname) || ')'
        else quote_ident(c.relname) || ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attnum) || ')'
        end as source,
      array(
        select distinct r.relname::text
        from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as needs
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.oid, c.relname, c.relkind
    order by c.relname`);
}

/**
 * Begins a transaction that only reads, and keeps every table from being changed in its form; rows change as ever. No
 * statement before the lock may read anything: what is read is what stood when the first one did.
 */
export async function lockForms(tx: Tx, tables: readonly Table[]): Promise<void> {
  await tx.query(sql`set transaction isolation level repeatable read, read only`);
  await tx.query(sql`set local statement_timeout = 0`);
  await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
  // The names come from the catalog, which quotes what needs quotes.
  const names = tables.map(({ quoted }) => quoted).join(", ");
  await tx.query({ text: `lock table ${names} in access share mode`, values: [] });
}

/** Takes the snapshot. Its moment is the beginning of the transaction: whatever was committed before that is in it. */
export async function takeSnapshot(
  tx: Tx,
): Promise<{ readonly moment: Date; readonly snapshot: string }> {
  const rows = await tx.query<{ moment: Date; snapshot: string }>(sql`
    select now() as moment, pg_current_snapshot()::text as snapshot`);
  // So that every server writes the same text, and this one for as long as it takes (the last is of PostgreSQL 17).
  await tx.query(sql`
    select set_config(s.name, s.value, true)
    from (values ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('bytea_output', 'hex'),
      ('extra_float_digits', '1'), ('transaction_timeout', '0')) as s (name, value)
    join pg_settings p on lower(p.name) = s.name`);
  return rows[0] ?? { moment: new Date(0), snapshot: "" };
}

export async function selectRelease(tx: Tx): Promise<string | undefined> {
  const rows = await tx.query<{ release: string }>(sql`
    select release from schema_functions limit 1`);
  return rows[0]?.release;
}

export async function selectEnvironment(tx: Tx): Promise<string | null> {
  const rows = await tx.query<{ environment: string }>(sql`select environment from installation`);
  return rows[0]?.environment ?? null;
}

/** Fingerprints of the master keys that something is sealed with. */
export async function selectMasterKeys(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ fingerprint: string }>(sql`
    select fingerprint from vault, unnest(array[master_key, retiring_key]) as fingerprint
    where fingerprint is not null`);
  return rows.map(({ fingerprint }) => fingerprint);
}

export function copyOut(tx: Tx, { source }: Table): AsyncIterable<Buffer> {
  return tx.copyOut(`copy ${source} to stdout`);
}

export function copyIn(tx: Tx, { place }: Table) {
  return tx.copyIn(`copy ${place} from stdin`);
}

/** Lets the planner know what was loaded: without that the audit of 100 000 transfers joined every row with every other. */
export async function analyze(tx: Tx, tables: Iterable<Table>): Promise<void> {
  const names = [...tables].map(({ quoted }) => quoted).join(", ");
  await tx.query({ text: `analyze ${names}`, values: [] });
}
