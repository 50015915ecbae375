import { randomInt } from "node:crypto";
import pg from "pg";
import { sql } from "../src/database/sql.ts";
import { extendTotals } from "../src/statements/totals.ts";
import { sealDays } from "./fill-seals.ts";
import { beginAgain, endFilling, fillFunctions, fillings } from "./fill-statements.ts";
import type { Book } from "./postgres.ts";
import { customersMax } from "./requests.ts";

/** A history: every day has the same sets of transfers at the same times, each accepted together and settled a second later. */
export interface History {
  readonly days: number;
  readonly setsPerDay: number;
  readonly setSize: number;
  /** The last transfers are of the hours before. */
  readonly until: Date;
}

const dayMs = 86_400_000;
const setSizeMax = 1_000;
const setsPerCall = 10;
/** Between the last set and `until`, so that nothing is of a time to come. */
const quietHours = 2;

/** Loaded much faster without their indexes, which are made afterwards. */
const filledTables = ["transfers", "outcomes", "postings", "wallet_entries"];

type FillableBook = Pick<Book, "url" | "companyId" | "database">;

/** A transfer that was filled in. */
export interface Spot {
  readonly id: string;
  readonly reference: string;
}

/** So many transfers over so many days, or a few more. */
export function spread(transfers: number, days: number, until = new Date()): History {
  const perDay = Math.ceil(transfers / days);
  const setsPerDay = Math.ceil(perDay / setSizeMax);
  return { days, setsPerDay, setSize: Math.ceil(perDay / setsPerDay), until };
}

export function transfersOf({ days, setsPerDay, setSize }: History): number {
  return days * setsPerDay * setSize;
}

/**
 * Fills a company's books with transfers that were accepted and completed, quickly: through the service's own functions
 * for postings and events, with another clock, and everything else as rows. Two connections share the work, because two
 * cores are what every machine has. The audit passes, and the database is as one that has rested: vacuumed, analysed,
 * and with all that was written on the disk.
 */
export async function fillBooks(
  book: FillableBook,
  history: History,
  tell: (done: number) => void,
): Promise<void> {
  const first = await connect(book);
  const second = await connect(book).catch(async (error: unknown) => {
    await first.end();
    throw error;
  });
  try {
    await first.query(await withOwnClock(first, "add_events"));
    await first.query(fillFunctions);
    await first.query(beginAgain, [book.companyId]);
    for (const table of filledTables)
      await first.query(`alter table ${table} set (autovacuum_enabled = off)`);
    const indexes = await takeIndexes(first);
    const clients = [first, second];
    let filled = 0;
    await shareOut(clients, fillings, (client, statement) =>
      fill(client, statement, book, history, (added) => {
        filled += added;
        tell(Math.floor(filled / fillings.length));
      }),
    );
    await shareOut(clients, indexes, (client, statement) => client.query(statement));
    while (await extendTotals(book.database, book.companyId));
    await sealDays(book, beginOf(history), history.until);
    await first.query(endFilling, [book.companyId, beginOf(history)]);
    for (const table of filledTables)
      await first.query(`alter table ${table} reset (autovacuum_enabled)`);
    const rest = filledTables.map((table) => `vacuum (freeze, analyze) ${table}`);
    await shareOut(clients, rest, (client, statement) => client.query(statement));
    await first.query("vacuum (analyze)");
    await first.query("checkpoint");
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

async function connect(book: FillableBook): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: book.url });
  client.on("error", () => {});
  await client.connect();
  // Triggers would refuse a history of our own, and nobody waits for this one to be on disk.
  await client.query("set session_replication_role = replica");
  await client.query("set synchronous_commit = off");
  await client.query("set jit = off");
  await client.query("set maintenance_work_mem = '1GB'");
  // One connection for each core is busy already.
  await client.query("set max_parallel_maintenance_workers = 0");
  return client;
}

async function fill(
  client: pg.Client,
  statement: string,
  { companyId }: FillableBook,
  history: History,
  tell: (added: number) => void,
): Promise<void> {
  const { days, setsPerDay, setSize } = history;
  const sets = days * setsPerDay;
  const shape = [setSize, dayMs / setsPerDay, customersMax];
  for (let set = 0; set < sets; set += setsPerCall) {
    const end = Math.min(sets, set + setsPerCall);
    await client.query(statement, [companyId, beginOf(history), set, end - 1, ...shape]);
    tell((end - set) * setSize);
  }
}

/**
 * Transfers all over a history, each with some before it, found without looking at any: nothing of them is in memory
 * because of it.
 */
export async function findSpots(
  { database }: FillableBook,
  history: History,
  count: number,
): Promise<Spot[]> {
  const { days, setsPerDay, setSize } = history;
  const sets = Array.from({ length: count }, () => randomInt(1, days * setsPerDay));
  const places = Array.from({ length: count }, () => randomInt(1, setSize + 1));
  return database.query<Spot>(sql`
    select fill_id(fill_moment(fill_time(${beginOf(history)}, x.set, ${dayMs / setsPerDay})), x.set, x.place) as id,
      fill_reference(x.set::bigint * ${setSize} + x.place) as reference
    from unnest(${sets}::integer[], ${places}::integer[]) as x(set, place)`);
}

function beginOf({ days, until }: History): Date {
  return new Date(until.getTime() - days * dayMs - quietHours * 3_600_000);
}

/** Each connection takes the next statement as soon as it has nothing to do. */
async function shareOut(
  clients: readonly pg.Client[],
  statements: readonly string[],
  run: (client: pg.Client, statement: string) => Promise<unknown>,
): Promise<void> {
  const left = [...statements];
  await Promise.all(
    clients.map(async (client) => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        await run(client, next);
    }),
  );
}

/** The function as it is, but for its name and its clock. */
async function withOwnClock(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(
    "select pg_get_functiondef(oid) as text from pg_proc where proname = $1",
    [name],
  );
  const text = rows[0]?.text ?? "";
  const ownTime = "p_books.posted_at;";
  if (text.split(ownTime).length !== 2) throw new Error(`${name} takes no time from the books`);
  return text
    .replace(ownTime, "current_setting('fill.now')::timestamptz;")
    .replace(`.${name}(`, `.fill_${name}(`);
}

/** Drops the indexes of the large tables, and answers how to make them again: neighbours are of different tables. */
async function takeIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select case when k.conname is null then format('drop index %I', i.indexrelid::regclass::text)
        else format('alter table %I drop constraint %I', i.indrelid::regclass::text, k.conname) end as drop,
      case when k.conname is null then pg_get_indexdef(i.indexrelid)
        else format('alter table %I add constraint %I %s', i.indrelid::regclass::text, k.conname, pg_get_constraintdef(k.oid))
        end as make
     from pg_index i left join pg_constraint k on k.conindid = i.indexrelid and k.conrelid = i.indrelid
     where i.indrelid = any ($1::text[]::regclass[])
     order by row_number() over (partition by i.indrelid order by i.indexrelid), i.indrelid`,
    [filledTables],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make);
}
