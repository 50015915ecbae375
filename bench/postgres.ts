import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCompany } from "../src/companies/create-company.ts";
import { Database } from "../src/database/database.ts";
import { startEmbedded } from "../src/database/embedded/server.ts";
import { migrate } from "../src/database/migrate.ts";
import { sql } from "../src/database/sql.ts";
import { changesBetween } from "../src/trail/trail.ts";
import { benchBox } from "./keys.ts";
import { countingSettings, describeCpu, describeStatements } from "./profile.ts";
import { customersMax } from "./requests.ts";

export interface PostgresFacts {
  readonly version: string;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  readonly sharedBuffers: string;
}

export interface Postgres {
  readonly facts: PostgresFacts;
  /** A new database with one rich company, and people to pay. */
  makeBook(name: string): Promise<Book>;
  stop(): Promise<void>;
}

export interface WalBytes {
  readonly records: number;
  /** Whole pages, logged when they change for the first time after a checkpoint. */
  readonly pageImages: number;
}

export interface Book {
  readonly url: string;
  readonly companyId: string;
  readonly accessToken: string;
  readonly database: Database;
  /** Where the service under test leaves its CPU profile; undefined: it makes none. */
  readonly profileFolder: string | undefined;
  /** Starts counting write-ahead log, right after a checkpoint, so that every count starts alike. */
  startWal(): Promise<() => Promise<WalBytes>>;
  /** Keeps autovacuum from adding its own log to what `work` writes. */
  withoutAutovacuum<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Transfers accepted so far, where nothing is settled: then each is one event. */
  accepted(): Promise<number>;
  close(): Promise<void>;
}

/** More than any run can spend, and far below what a number holds exactly. */
const fund = 100_000_000_000_000;
const walletMax = 1_000_000_000_000;

/** A PostgreSQL of the bench's own, durable like in earnest, in a folder that is removed afterwards. */
export async function startPostgres(
  isProfiling: boolean,
  more: Readonly<Record<string, string>> = {},
): Promise<Postgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "cauri-bench-"));
  const settings = { ...(isProfiling ? countingSettings : {}), ...more };
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings });
  const admin = new Database({ url: embedded.adminUrl, poolSize: 1 });
  const stop = async () => {
    await admin.close();
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const facts = await readFacts(admin);
    if (facts.fsync !== "on" || facts.synchronousCommit !== "on")
      throw new Error("PostgreSQL does not wait for the disk: nothing measured here would count");
    return {
      facts,
      makeBook: async (name) => {
        const book = await makeBook(admin, embedded.adminUrl, name);
        return isProfiling ? profiled(book, name, join(dataDir, `profile-${name}`)) : book;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readFacts(database: Database): Promise<PostgresFacts> {
  const [facts] = await database.query<PostgresFacts>(sql`
    select current_setting('server_version') as "version", current_setting('fsync') as "fsync",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('shared_buffers') as "sharedBuffers"`);
  if (facts === undefined) throw new Error("PostgreSQL does not tell its settings");
  return facts;
}

async function makeBook(admin: Database, adminUrl: string, name: string): Promise<Book> {
  await admin.query({ text: `create database ${name}`, values: [] });
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const database = new Database({ url: url.href, poolSize: 2 });
  await migrate(database);
  const { company, key } = await createCompany(database, benchBox, {
    name: "Bench",
    fund,
  });
  await addPeople(database);
  await database.query(sql`create extension pg_walinspect`);
  return {
    url: url.href,
    companyId: company.id,
    accessToken: key.accessToken,
    database,
    profileFolder: undefined,
    startWal: () => startWal(database),
    withoutAutovacuum: async (work) => {
      await database.query(sql`alter system set autovacuum = off`);
      await database.query(sql`select pg_reload_conf()`);
      try {
        return await work();
      } finally {
        await database.query(sql`alter system reset autovacuum`);
        await database.query(sql`select pg_reload_conf()`);
      }
    },
    accepted: async () => {
      const [row] = await database.query<{ last_event: number }>(
        sql`select last_event from books where company_id = ${company.id}`,
      );
      return row?.last_event ?? 0;
    },
    close: () => database.close(),
  };
}

/** What the trail says of each, as if the operator had added them. */
const toldOfPerson = JSON.stringify(
  changesBetween(
    {},
    {
      firstName: "Awa",
      lastName: "Diop",
      kycStatus: "complete",
      balanceMax: walletMax,
      isFrozen: false,
    },
  ),
);

/** People to pay, for whom no amount is too much. */
export async function addPeople(database: Database): Promise<void> {
  await database.query(sql`
    with person as (
      insert into customers (msisdn, first_name, last_name, kyc_status, balance_max)
      select '2250710' || lpad(n::text, 6, '0'), 'Awa', 'Diop', 'complete', ${walletMax}
      from generate_series(0, ${customersMax - 1}::integer) as n
      returning msisdn
    ), told as (
      insert into customer_trail (msisdn, id, operator, via, action, changes)
      select msisdn, trail_id(0), 'bench', 'bench', 'customer.added', ${toldOfPerson} from person
    )
    insert into wallets (msisdn) select msisdn from person`);
}

/** The same book, which tells where the time went when it is closed. */
async function profiled(book: Book, name: string, folder: string): Promise<Book> {
  await book.database.query(sql`create extension pg_stat_statements`);
  return {
    ...book,
    profileFolder: folder,
    close: async () => {
      process.stdout.write(`\n${name}: statements\n${await describeStatements(book.database)}\n`);
      process.stdout.write(`\n${name}: service, own time\n${await describeCpu(folder)}\n\n`);
      await book.close();
    },
  };
}

async function startWal(database: Database): Promise<() => Promise<WalBytes>> {
  await database.query(sql`checkpoint`);
  const [start] = await database.query<{ place: string }>(
    sql`select pg_current_wal_insert_lsn() as place`,
  );
  return async () => {
    const [bytes] = await database.query<{ records: string; images: string }>(sql`
      select sum(record_size) as records, sum(fpi_size) as images
      from pg_get_wal_stats(${start?.place}::pg_lsn, pg_current_wal_flush_lsn())`);
    return { records: Number(bytes?.records), pageImages: Number(bytes?.images) };
  };
}
