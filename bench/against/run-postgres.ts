import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../../src/database/embedded/server.ts";
import { countingSettings } from "../profile.ts";
import { cpuMsWithChildren, parentOf } from "./cpu.ts";

export interface WalBytes {
  readonly records: number;
  /** Whole pages, logged when they change for the first time after a checkpoint. */
  readonly pageImages: number;
}

export interface RunPostgresFacts {
  readonly version: string;
  readonly fsync: string;
  readonly synchronousCommit: string;
}

/** The PostgreSQL of one run: durable like in earnest, in a folder that is removed afterwards. */
export class RunPostgres {
  readonly facts: RunPostgresFacts;
  readonly #admin: pg.Client;
  readonly #url: string;
  readonly #postmaster: number | undefined;

  private constructor(
    admin: pg.Client,
    url: string,
    facts: RunPostgresFacts,
    postmaster: number | undefined,
  ) {
    this.#admin = admin;
    this.#url = url;
    this.facts = facts;
    this.#postmaster = postmaster;
  }

  static async with<Result>(
    isCountingStatements: boolean,
    work: (postgres: RunPostgres) => Promise<Result>,
  ): Promise<Result> {
    const dataDir = await mkdtemp(join(tmpdir(), "cauri-against-"));
    try {
      const settings = isCountingStatements ? countingSettings : {};
      const embedded = await startEmbedded({ dataDir, log: () => {}, settings });
      try {
        return await withClient(embedded.adminUrl, async (admin) =>
          work(await RunPostgres.#describe(admin, embedded.adminUrl)),
        );
      } finally {
        await embedded.stop();
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    }
  }

  static async #describe(admin: pg.Client, url: string): Promise<RunPostgres> {
    await admin.query("create extension pg_walinspect");
    const { rows } = await admin.query<RunPostgresFacts & { pid: number }>(`
      select current_setting('server_version') as version, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as "synchronousCommit", pg_backend_pid() as pid`);
    const [row] = rows;
    if (row?.fsync !== "on" || row.synchronousCommit !== "on")
      throw new Error("PostgreSQL does not wait for the disk: nothing measured here would count");
    const { pid, ...facts } = row;
    return new RunPostgres(admin, url, facts, parentOf(pid));
  }

  urlOf(database: string): string {
    const url = new URL(this.#url);
    url.pathname = `/${database}`;
    return url.href;
  }

  /** An empty database, or a copy of another one to which nobody is connected. */
  async create(database: string, template = "template1"): Promise<void> {
    await this.#admin.query(`create database ${database} template ${template}`);
  }

  async drop(database: string): Promise<void> {
    await this.#admin.query(`drop database if exists ${database} with (force)`);
  }

  async inside<Result>(
    database: string,
    work: (client: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    return withClient(this.urlOf(database), work);
  }

  /** Starts counting write-ahead log, right after a checkpoint, so that every count starts alike. */
  async startWal(): Promise<() => Promise<WalBytes>> {
    await this.#admin.query("checkpoint");
    const start = await this.#admin.query<{ place: string }>(
      "select pg_current_wal_insert_lsn() as place",
    );
    return async () => {
      const { rows } = await this.#admin.query<{ records: number; images: number }>(
        `select sum(record_size)::float8 as records, sum(fpi_size)::float8 as images
        from pg_get_wal_stats($1::pg_lsn, pg_current_wal_flush_lsn())`,
        [start.rows[0]?.place],
      );
      return { records: rows[0]?.records ?? 0, pageImages: rows[0]?.images ?? 0 };
    };
  }

  /** CPU time of all of its processes so far; undefined where the system does not tell. */
  cpuMs(): number | undefined {
    return this.#postmaster === undefined ? undefined : cpuMsWithChildren(this.#postmaster);
  }

  async bytesOf(database: string): Promise<number> {
    const { rows } = await this.#admin.query<{ bytes: number }>(
      "select pg_database_size($1)::float8 as bytes",
      [database],
    );
    return rows[0]?.bytes ?? 0;
  }
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  // What breaks it is told to whoever waits for an answer.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
