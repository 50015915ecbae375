import { selectTables, type Table } from "./copy-tables.ts";
import type { Queryable, Tx } from "./database.ts";
import { UnclassifiedTables } from "./errors.ts";
import { sql } from "./sql.ts";
import { groupOf } from "./table-groups.ts";

/** Parents come before what refers to them, and what all others are placed beside comes first. */
const firstOfCompany = "companies";
const firstOfCustomers = "wallets";
/**
 * Begin with the company and write wallets as well, which are on another node as a rule. Workers open a connection to each other anew
 * for every call, and the coordinator keeps its own: these run there.
 */
const writersOfWallets = ["settle_transfers"];

/** What of the schema is not where it belongs on a cluster; two empty lists: nothing. */
export interface Undistributed {
  readonly tables: readonly Table[];
  readonly functions: readonly DelegatedFunction[];
}

interface DelegatedFunction {
  readonly signature: string;
  /** Runs on the node of the company that it names first. */
  readonly isOfCompany: boolean;
}

/** Throws UnclassifiedTables: where the rows of a table belong is for people to say. */
export async function selectClassified(database: Queryable): Promise<Table[]> {
  const tables = await selectTables(database);
  const unknown = tables.filter(({ name }) => groupOf(name) === undefined);
  if (unknown.length > 0) throw new UnclassifiedTables(unknown.map(({ name }) => name));
  return inOrder(tables);
}

/** For whatever changes the schema in this transaction. */
export async function prepareToDistribute(tx: Tx): Promise<void> {
  // The shards of one table after the other, on the connections that made those of the tables they refer to.
  await tx.query(sql`set local citus.multi_shard_modify_mode = 'sequential'`);
  // The triggers that refuse change: they look at nothing but the row.
  await tx.query(sql`set local citus.enable_unsafe_triggers = on`);
}

/** Puts the tables that are still on the coordinator where they belong, with their rows. */
export async function distributeTables(tx: Tx, tables: readonly Table[]): Promise<void> {
  for (const { name, quoted } of tables) {
    const group = groupOf(name);
    if (group === "reference") await tx.query(sql`select create_reference_table(${quoted})`);
    else if (group === "company")
      await tx.query(
        name === firstOfCompany
          ? sql`select create_distributed_table(${quoted}, 'company_id', colocate_with => 'none')`
          : sql`select create_distributed_table(${quoted}, 'company_id', colocate_with => ${firstOfCompany})`,
      );
    else if (group === "customer" || group === "subject")
      await tx.query(
        name === firstOfCustomers
          ? sql`select create_distributed_table(${quoted}, null, colocate_with => 'none')`
          : sql`select create_distributed_table(${quoted}, null, colocate_with => ${firstOfCustomers})`,
      );
  }
}

/** Makes functions known on every node; those of a company run where its rows are. */
export async function distributeFunctions(
  tx: Tx,
  functions: readonly DelegatedFunction[],
): Promise<void> {
  for (const { signature, isOfCompany } of functions) {
    // A plan for any company is a plan for no node: here each is made for the one that is asked for.
    await tx.query({ text: `alter function ${signature} reset plan_cache_mode`, values: [] });
    await tx.query(
      isOfCompany
        ? sql`select create_distributed_function(${signature}::regprocedure, 'p_company', colocate_with => ${firstOfCompany})`
        : sql`select create_distributed_function(${signature}::regprocedure)`,
    );
  }
}

/**
 * Puts what a migration or a function file has made where it belongs. Throws UnclassifiedTables for a table that was not among `before`
 * and is of no group: left on the coordinator, its rows would not commit together with a company's.
 */
export async function distributeNews(tx: Tx, before: ReadonlySet<string>): Promise<void> {
  const { tables, functions } = await findUndistributed(tx);
  const unknown = (await tableNames(tx)).filter(
    (name) => groupOf(name) === undefined && !before.has(name),
  );
  if (unknown.length > 0) throw new UnclassifiedTables(unknown);
  await distributeTables(tx, tables);
  await distributeFunctions(tx, functions);
}

export async function tableNames(database: Queryable): Promise<string[]> {
  return (await selectTables(database)).map(({ name }) => name);
}

/** What is not where it belongs, of a database that is split. */
export async function findUndistributed(database: Queryable): Promise<Undistributed> {
  const tables = inOrder(await selectTables(database));
  const distributed = await database.query<{ name: string }>(sql`
    select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid`);
  const known = new Set(distributed.map(({ name }) => name));
  const functions = await database.query<DelegatedFunction & { readonly isDone: boolean }>(sql`
    select p.oid::regprocedure::text as signature, d.is_of_company as "isOfCompany",
      o.objid is not null and coalesce(array_to_string(p.proconfig, ' ') not like '%plan_cache_mode%', true)
        and (o.distribution_argument_index is not null) = d.is_of_company as "isDone"
    from pg_proc p
    cross join lateral (
      select coalesce(p.proargnames[1] = 'p_company', false) and p.proname <> all (${writersOfWallets}::text[]) as is_of_company
    ) as d
    left join pg_dist_object o on o.classid = 'pg_proc'::regclass and o.objid = p.oid
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`);
  return {
    tables: tables.filter(({ name }) => belongsElsewhere(name) && !known.has(name)),
    functions: functions.filter(({ isDone }) => !isDone),
  };
}

/** Not on the coordinator alone. What is none of our tables stays where it is. */
function belongsElsewhere(table: string): boolean {
  const group = groupOf(table);
  return group !== undefined && group !== "own";
}

/** References first, because all may refer to them; then each table after those that its rows refer to. */
function inOrder(tables: readonly Table[]): Table[] {
  const left = tables.toSorted((one, other) => rankOf(one) - rankOf(other));
  const ordered: Table[] = [];
  const names = new Set<string>();
  while (left.length > 0) {
    const next = left.findIndex(({ needs }) => needs.every((name) => names.has(name)));
    const [table] = left.splice(Math.max(next, 0), 1);
    if (next === -1 || table === undefined)
      throw new Error(
        `tables refer to each other in a circle: ${left.map(({ name }) => name).join(", ")}`,
      );
    ordered.push(table);
    names.add(table.name);
  }
  return ordered;
}

function rankOf({ name }: Table): number {
  if (groupOf(name) === "reference") return 0;
  return name === firstOfCompany || name === firstOfCustomers ? 1 : 2;
}
