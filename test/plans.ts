import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";

/** A node of a plan, as far as it is judged; the names are PostgreSQL's. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Filter?: string;
  readonly "Join Filter"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A statement that was run, also one inside a function, with the plan it was run by. */
interface SeenPlan {
  /** What was going on then. */
  readonly during: string;
  readonly statement: string;
  readonly plan: PlanNode;
}

/** Only a superuser can have the plans of others shown. */
export async function canExplain(database: Database): Promise<boolean> {
  const [role] = await database.query<{ rolsuper: boolean }>(sql`
    select rolsuper from pg_roles where rolname = current_user`);
  return role?.rolsuper === true;
}

/**
 * From now on every new connection to this database is told the plan of each statement, also of those inside
 * functions, with what was really read.
 */
export async function explainEverything(database: Database): Promise<void> {
  await setForAll(database, {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_format": "json",
    // Told to the client instead of to the server's log.
    "auto_explain.log_level": "notice",
  });
}

/** From now on every new connection uses the plans that a connection keeps for statements it repeats. */
export async function keepPlans(database: Database): Promise<void> {
  await setForAll(database, { plan_cache_mode: "force_generic_plan" });
}

async function setForAll(
  database: Database,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const [row] = await database.query<{ name: string }>(sql`select current_database() as name`);
  for (const [name, value] of Object.entries(settings))
    await database.query({
      text: `alter database ${row?.name} set ${name} = '${value}'`,
      values: [],
    });
}

/**
 * Stands between a service and its database and reads the plans out of what the database says. Whatever runs
 * a statement is seen, and nothing of the service has to know.
 */
export class PlanTap {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #url: URL;
  readonly plans: SeenPlan[] = [];
  /** A request's plans arrive before its answer, so whoever sends one after the other can tell them apart. */
  during = "the start";

  private constructor(url: string) {
    this.#url = new URL(url);
    this.#server = createServer((client) => this.#join(client));
  }

  static async before(url: string): Promise<PlanTap> {
    const tap = new PlanTap(url);
    tap.#server.listen(0, "127.0.0.1");
    await once(tap.#server, "listening");
    return tap;
  }

  /** The same database, through this tap. */
  get url(): string {
    const through = new URL(this.#url);
    through.hostname = "127.0.0.1";
    through.port = String((this.#server.address() as AddressInfo).port);
    return through.href;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    const port = this.#url.port === "" ? 5432 : Number(this.#url.port);
    const upstream = connect(port, this.#url.hostname);
    const end = () => {
      for (const socket of [client, upstream]) {
        socket.destroy();
        this.#sockets.delete(socket);
      }
    };
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true).on("close", end).on("error", end);
    }
    client.on("data", (chunk) => upstream.write(chunk));
    let rest: Buffer = Buffer.alloc(0);
    upstream.on("data", (chunk) => {
      rest = this.#read(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]));
      client.write(chunk);
    });
  }

  /** Each message is a letter, its length and its content; answers what is left of one that is still coming. */
  #read(bytes: Buffer): Buffer {
    let at = 0;
    while (bytes.length - at >= 5) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      if (bytes[at] === "N".charCodeAt(0)) this.#take(bytes.toString("utf8", at + 5, end));
      at = end;
    }
    return bytes.subarray(at);
  }

  /** A notice is a list of fields, each begun by its letter and ended by a zero; M is what it says. */
  #take(notice: string): void {
    const said = notice.split("\0").find((field) => field.startsWith("M"));
    const [, text] = /^Mduration: .* plan:\n([\s\S]+)$/.exec(said ?? "") ?? [];
    if (text === undefined) return;
    const explained = JSON.parse(text) as { "Query Text": string; Plan: PlanNode };
    this.plans.push({
      during: this.during,
      statement: explained["Query Text"].replaceAll(/\s+/g, " ").trim(),
      plan: explained.Plan,
    });
  }
}

interface Index {
  readonly table: string;
  /** In their order. */
  readonly columns: readonly string[];
  /** The condition that all its rows fulfil, as PostgreSQL writes it. */
  readonly condition: string | null;
}

type Indexes = ReadonlyMap<string, Index>;

export async function readIndexes(database: Database): Promise<Indexes> {
  const rows = await database.query<Index & { name: string }>(sql`
    select i.indexrelid::regclass::text as name, coalesce(h.inhparent, i.indrelid)::regclass::text as table,
      pg_get_expr(i.indpred, i.indrelid) as condition,
      array(
        select a.attname::text from unnest(i.indkey::int[]) with ordinality as k(number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        order by k.place) as columns
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    left join pg_inherits h on h.inhrelid = c.oid
    where c.relnamespace = 'public'::regnamespace`);
  return new Map(rows.map(({ name, ...index }) => [name, index]));
}

/**
 * What a statement may look at in one table. The largest set that one takes is 1 000 rows (what is forgotten at a
 * time) and a page has 100, so this is twice what anything needs. One company has several times as many rows.
 */
const rowsMax = 2_000;

/** What is wrong with the plans: once for each statement and kind of problem, with the first time it was seen. */
export function findScans(
  plans: readonly SeenPlan[],
  growing: ReadonlySet<string>,
  indexes: Indexes,
): string[] {
  const found = new Map<string, string>();
  for (const { during, statement, plan } of plans) {
    for (const node of nodesOf(plan)) {
      const table = tableOf(node, indexes);
      if (!growing.has(table)) continue;
      const problem = findProblem(node, indexes);
      if (problem === undefined) continue;
      const key = `${statement} ${table} ${problem}`.replaceAll(/\d+ rows/g, "rows");
      if (found.has(key)) continue;
      found.set(key, `${during}\n  ${problem} of ${table}: ${describe(node)}\n  in: ${statement}`);
    }
  }
  return [...found.values()];
}

/**
 * Joins of which a plan compares rows that it did not look for: two columns must be equal, and the equality is tried on
 * each pair instead of leading to it.
 */
export function findTriedPairs(plan: PlanNode): string[] {
  return [...nodesOf(plan)].flatMap((node) => {
    const filter = node["Join Filter"] ?? "";
    return /\b\w+\.\w+ = \w+\.\w+/.test(filter) ? [`${node["Node Type"]} by ${filter}`] : [];
  });
}

/** The tables that these plans read. */
export function tablesRead(plans: readonly SeenPlan[], indexes: Indexes): ReadonlySet<string> {
  return new Set(
    plans.flatMap(({ plan }) => [...nodesOf(plan)].map((node) => tableOf(node, indexes))),
  );
}

/** How the parts of a table are called after it. */
const partSuffix = /_(?:\d{4}_\d{2}(?:_\d{2})?|default)$/;

/** Empty for what reads no table. */
function tableOf(node: PlanNode, indexes: Indexes): string {
  if (!node["Node Type"].endsWith("Scan")) return "";
  return (
    node["Relation Name"]?.replace(partSuffix, "") ??
    indexes.get(node["Index Name"] ?? "")?.table ??
    ""
  );
}

function* nodesOf(plan: PlanNode): Generator<PlanNode> {
  yield plan;
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner);
}

function findProblem(node: PlanNode, indexes: Indexes): string | undefined {
  if (node["Node Type"] === "Seq Scan") return "all";
  const index = indexes.get(node["Index Name"] ?? "");
  if (index !== undefined && !isNarrowed(node["Index Cond"] ?? "", index))
    return `more of an index than is asked for, ${node["Index Name"]}`;
  const rows = rowsOf(node);
  return rows > rowsMax ? `${Math.round(rows)} rows` : undefined;
}

/**
 * Whether a condition leads to one stretch of an index: equal in its first columns, perhaps a range in the next, and
 * nothing behind that, because for a condition there everything in between is read. In a condition the columns of
 * the index stand alone; those of other tables stand behind a name and a dot.
 */
function isNarrowed(condition: string, { columns, condition: ofAll }: Index): boolean {
  const implied = ofAll?.match(/\(\w+ [^()]+\)/g) ?? [];
  const text = implied
    .reduce((left, part) => left.replaceAll(part, ""), condition)
    // A comparison of rows is a range that begins at its first column.
    .replaceAll(/ROW\((\w+),[^)]*\)/g, "$1");
  const isNamed = (column: string) => new RegExp(`(?<![.\\w])${column}\\b`).test(text);
  const isEqual = (column: string) => new RegExp(`(?<![.\\w])${column} = `).test(text);
  const ranged = columns.findIndex((column) => !isEqual(column));
  const isBegun = ranged !== 0 || isNamed(columns[0] ?? "");
  return isBegun && (ranged === -1 || !columns.slice(ranged + 1).some(isNamed));
}

/** All that it looked at, kept or not, over all its turns. */
function rowsOf(node: PlanNode): number {
  const each =
    (node["Actual Rows"] ?? 0) +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  return each * (node["Actual Loops"] ?? 0);
}

function describe(node: PlanNode): string {
  const facts = [
    "Index Name",
    "Index Cond",
    "Filter",
    "Actual Rows",
    "Rows Removed by Filter",
    "Actual Loops",
  ] as const;
  const said = facts.filter((name) => node[name] !== undefined);
  return [node["Node Type"], ...said.map((name) => `${name} ${node[name]}`)].join("; ");
}
