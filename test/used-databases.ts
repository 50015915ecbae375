import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/**
 * Databases that a test is done with, for the next test of this process. Copying the template costs several times as
 * much as deleting what a test wrote. One is given on only when nothing but rows can differ from the template:
 * nobody is connected to it, no object was made, changed or dropped, and what the template already held is untouched.
 */
const spare: UsedDatabase[] = [];
const spareMax = 2;
/** Deleted rows stay in the files: after so many tests a copy is cheaper again. */
const usesMax = 25;

export interface UsedDatabase {
  readonly name: string;
  readonly uses: number;
}

interface Template {
  /** Stands for every table, function, trigger and setting. */
  readonly objects: string;
  /** Tables that are empty in the template. */
  readonly empty: readonly string[];
  /** The others, as one text. */
  readonly filled: readonly string[];
  readonly content: string;
}
let template: Promise<Template> | undefined;

export function takeUsedDatabase(): UsedDatabase | undefined {
  return spare.pop();
}

/** True when the database is as good as a new copy and was put aside; false when its owner has to drop it. */
export async function giveBack(
  urlOf: (name: string) => string,
  { name, uses }: UsedDatabase,
  templateName: string,
): Promise<boolean> {
  if (spare.length >= spareMax || uses >= usesMax) return false;
  template ??= connected(urlOf(templateName), describe);
  const { objects, empty, filled, content } = await template;
  const isClean = await connected(urlOf(name), async (client) => {
    if (await hasOthers(client)) return false;
    if ((await readObjects(client)) !== objects) return false;
    if ((await readContent(client, filled)) !== content) return false;
    // Without triggers and references: rows that may never change are deleted too, and parents before their children.
    const deletes = empty.map((table) => `delete from ${table};`).join("\n");
    await client.query(`begin; set local session_replication_role = replica; ${deletes} commit`);
    return true;
  }).catch(() => false);
  if (isClean) spare.push({ name, uses: uses + 1 });
  return isClean;
}

async function connected<Result>(
  url: string,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

async function describe(client: pg.Client): Promise<Template> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`);
  const empty: string[] = [];
  const filled: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select 1 from ${name} limit 1`);
    (rowCount === 0 ? empty : filled).push(name);
  }
  const content = await readContent(client, filled);
  return { objects: await readObjects(client), empty, filled, content };
}

/** A connection that was just closed may still be there for a moment. */
async function hasOthers(client: pg.Client): Promise<boolean> {
  for (let looks = 0; looks < 20; looks += 1) {
    const { rowCount } = await client.query(`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`);
    if (rowCount === 0) return false;
    await sleep(10);
  }
  return true;
}

/** Whoever makes or changes an object writes a row of a catalog with a later transaction. */
async function readObjects(client: pg.Client): Promise<string> {
  const catalogs = [
    "class",
    "proc",
    "attribute",
    "constraint",
    "trigger",
    "type",
    "namespace",
    "index",
    "attrdef",
  ];
  const parts = catalogs.map(
    (catalog) => `(select count(*) || ' ' || max(xmin::text::bigint) from pg_${catalog})`,
  );
  const settings = `(select count(*)::text from pg_db_role_setting s
    join pg_database d on d.oid = s.setdatabase where d.datname = current_database())`;
  const { rows } = await client.query<{ found: string }>(
    `select concat_ws(', ', ${[...parts, settings].join(", ")}) as found`,
  );
  return rows[0]?.found ?? "";
}

async function readContent(client: pg.Client, tables: readonly string[]): Promise<string> {
  const found: string[] = [];
  for (const table of tables) {
    const { rows } = await client.query<{ found: string | null }>(
      `select md5(string_agg(t::text, ' ' order by t::text)) as found from ${table} t`,
    );
    found.push(`${table} ${rows[0]?.found}`);
  }
  return found.join("\n");
}
