import { awayNodesOf } from "./away-nodes.ts";
import { readClusterState } from "./cluster.ts";
import type { Database } from "./database.ts";
import { DatabaseUnavailable } from "./errors.ts";
import { type Query, sql } from "./sql.ts";
import { tableGroups } from "./table-groups.ts";
import type { Queryable, Tx } from "./tx.ts";

/** Companies whose rows are in one part of a database that is split, and the node that has it. */
export interface Part {
  readonly node: string;
  readonly companyIds: readonly string[];
}

/** Statements name so many companies at most. */
const companiesMax = 500;

/** What a statement over all companies says of its `company_id`: nothing, or that it is one of these. */
const anyCompany = sql`is not null`;
const oneOf = (companyIds: readonly string[]) => sql`= any(${companyIds}::uuid[])`;

const known = new WeakMap<Database, Promise<boolean>>();

/** Whether its rows are split over several nodes. It becomes so only while nobody uses it (`cauri shard`), so once is enough. */
export async function isSharded(database: Database): Promise<boolean> {
  const asked =
    known.get(database) ?? readClusterState(database).then((state) => state === "sharded");
  known.set(database, asked);
  try {
    return await asked;
  } catch (error) {
    known.delete(database);
    throw error;
  }
}

/**
 * Asks for companies over the whole database. Where it is split and a node is away, which fails all of it, those on the
 * other nodes are asked for node by node: only the companies of that node wait. A statement says of every table which
 * companies it means: one that leaves a table out is sent to all nodes, also to the one that is away.
 */
export async function findInParts<Row extends object>(
  database: Database,
  find: (which: Query) => Promise<Row[]>,
): Promise<Row[]> {
  const away = awayNodesOf(database);
  let trouble = new DatabaseUnavailable();
  if (away.count === 0)
    try {
      return await away.unlessAway(find(anyCompany));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || !(await isSharded(database))) throw error;
      trouble = error;
    }
  const found: Row[] = [];
  let isAnybodyThere = false;
  for (const [node, companyIds] of byNode(await readParts(database))) {
    if (away.has(node)) continue;
    try {
      found.push(...(await away.unlessAway(find(oneOf(companyIds)))));
      isAnybodyThere = true;
    } catch (problem) {
      if (!(problem instanceof DatabaseUnavailable)) throw problem;
    }
  }
  if (!isAnybodyThere) throw trouble;
  return found;
}

/** Every company's part. Whom there is, the coordinator knows by itself: each company has had a key since it was made. */
export async function readParts(database: Queryable): Promise<Part[]> {
  const rows = await database.query<{ node: string; company_ids: string[] }>(sql`
    select n.nodename || ':' || n.nodeport as node, array_agg(distinct k.company_id::text) as company_ids
    from (
      select t.company_id, get_shard_id_for_distribution_column('companies', t.company_id) as shard_id
      from (select distinct company_id from access_tokens) as t
    ) as k
    join pg_dist_placement p on p.shardid = k.shard_id
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    group by k.shard_id, 1
    order by 1, k.shard_id`);
  return rows.flatMap(({ node, company_ids }) =>
    Array.from({ length: Math.ceil(company_ids.length / companiesMax) }, (_, index) => ({
      node,
      companyIds: company_ids.slice(index * companiesMax, (index + 1) * companiesMax),
    })),
  );
}

/**
 * Runs `work` in a transaction in which every table of companies, and the entries of wallets, have the rows of these alone. Views of the same names come
 * before the tables: a statement over them concerns one part, so it is handed to that part's node as it is, whatever is in it.
 */
export async function withPart<Result>(
  database: Database,
  companyIds: readonly string[],
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return database.transaction((tx) => inPart(tx, companyIds, () => work(tx)));
}

/** The same inside a transaction. */
export async function inPart<Result>(
  tx: Tx,
  companyIds: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const ids = companyIds.map((id) => `'${uuid(id)}'`).join(", ");
  await tx.query(sql`set local search_path = pg_temp, public`);
  // That the views are here alone is what is wanted.
  await tx.query(sql`set local client_min_messages = error`);
  const made = [...tableGroups.company, "wallet_entries"].map(
    (name) =>
      `create temp view ${name} as select * from public.${name} where company_id in (${ids});`,
  );
  const events = `create temp view events as ${await definitionOfEvents(tx)}`;
  await tx.query({ text: `${made.join("\n")}\n${events}`, values: [] });
  const result = await work();
  await tx.query(sql`discard temp`);
  return result;
}

/** It names its table without a schema, and so comes to read the view of that name. */
async function definitionOfEvents(tx: Tx): Promise<string> {
  const rows = await tx.query<{ definition: string }>(sql`
    select pg_get_viewdef('public.events'::regclass) as definition`);
  return (rows[0]?.definition ?? "").replaceAll("public.", "");
}

function uuid(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`${id} is no id of a company`);
  return id;
}

function byNode(parts: readonly Part[]): Map<string, string[]> {
  const nodes = new Map<string, string[]>();
  for (const { node, companyIds } of parts)
    nodes.set(node, [...(nodes.get(node) ?? []), ...companyIds]);
  return nodes;
}
