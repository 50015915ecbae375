import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { EmbeddedUnavailable, errorCode } from "./errors.ts";
import type { Account, Accounts } from "./layout.ts";

const DATABASE = "cauri";

/** Advisory locks are per database, and no application uses the one called `postgres`. */
const MAINTENANCE_DATABASE = "postgres";
const IN_USE_LOCK = 1;

const CONNECT_LIMIT_MS = 5_000;
const STATEMENT_LIMIT_MS = 30_000;

/** A pool that was closed a moment ago may still show its last connections on the server. */
const GRACE_MS = 500;
const GRACE_POLL_MS = 50;

/**
 * One connection for as long as this process uses the server. It holds a shared lock, which tells
 * every other process that the server is in use even while this one has no query to run.
 */
export class Session {
  readonly #client: Client;
  readonly #socket: Socket;
  #lost = false;

  private constructor(port: number, { role, password }: Account) {
    this.#socket = new Socket();
    this.#client = new Client({
      host: "127.0.0.1",
      port,
      user: role,
      password,
      database: MAINTENANCE_DATABASE,
      application_name: applicationName(),
      ssl: false,
      stream: () => this.#socket,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      statement_timeout: STATEMENT_LIMIT_MS,
    });
    this.#client.on("error", () => this.#markLost());
    this.#client.on("end", () => this.#markLost());
  }

  /** Undefined when the server accepts no connections (yet, or any more), so nobody has one. */
  static async open(port: number, { own, admin }: Accounts): Promise<Session | undefined> {
    const session = new Session(port, admin);
    try {
      await session.#client.connect();
      // A process that is about to stop the server holds the lock alone until the server is gone.
      // Then this wait fails with the connection, and the caller starts a server anew.
      await session.#client.query("select pg_advisory_lock_shared($1)", [IN_USE_LOCK]);
      if (own.role !== admin.role) await session.#ensureRole(own);
      await session.#ensureDatabase(own);
      session.#socket.unref();
      return session;
    } catch (error) {
      await session.close();
      if (["57P03", "57P01", "ECONNREFUSED"].includes(errorCode(error) ?? "")) return undefined;
      if (["28P01", "28000"].includes(errorCode(error) ?? "")) throw refusedPassword(port, error);
      throw error;
    }
  }

  get lost(): boolean {
    return this.#lost;
  }

  /**
   * Takes the server for this process alone, so that it may be stopped; false when another process
   * uses it, which then shows as a lock or (psql and the like aside) as a connection named `cauri…`.
   */
  async claim(): Promise<boolean> {
    this.#socket.ref();
    await this.#client.query("select pg_advisory_unlock_shared($1)", [IN_USE_LOCK]);
    const { rows } = await this.#client.query<{ claimed: boolean }>(
      "select pg_try_advisory_lock($1) as claimed",
      [IN_USE_LOCK],
    );
    if (rows[0]?.claimed !== true) return false;
    for (let waitedMs = 0; await this.#othersAreConnected(); waitedMs += GRACE_POLL_MS) {
      if (waitedMs >= GRACE_MS) return false;
      await sleep(GRACE_POLL_MS);
    }
    return true;
  }

  async close(): Promise<void> {
    this.#socket.ref();
    // Ending politely can fail or hang on a server that is already gone; its answer is of no use.
    const limit = sleep(CONNECT_LIMIT_MS, undefined, { ref: false });
    await Promise.race([this.#client.end().catch(() => undefined), limit]);
    this.#socket.destroy();
  }

  async #othersAreConnected(): Promise<boolean> {
    const { rowCount } = await this.#client.query(
      `select from pg_stat_activity
       where backend_type = 'client backend' and datname <> $1
         and application_name like 'cauri%' and application_name <> $2
       limit 1`,
      [MAINTENANCE_DATABASE, applicationName()],
    );
    return rowCount !== 0;
  }

  /** Not a superuser: a statement that went wrong reaches its own database and no file or program of the machine. */
  async #ensureRole({ role, password }: Account): Promise<void> {
    const { rowCount } = await this.#client.query("select from pg_roles where rolname = $1", [
      role,
    ]);
    if (rowCount !== 0) return;
    // Statements that fail are logged: the password is not in their text.
    await this.#client.query("select set_config('cauri.password', $1, false)", [password]);
    try {
      await this.#client.query(
        `do $$ begin execute format('create role ${role} login password %L', current_setting('cauri.password')); end $$`,
      );
    } catch (error) {
      if (!isMadeMeanwhile(error)) throw error;
    } finally {
      await this.#client.query("reset cauri.password");
    }
  }

  async #ensureDatabase({ role }: Account): Promise<void> {
    const { rowCount } = await this.#client.query("select from pg_database where datname = $1", [
      DATABASE,
    ]);
    if (rowCount !== 0) return;
    try {
      await this.#client.query(`create database ${DATABASE} owner ${role}`);
    } catch (error) {
      if (!isMadeMeanwhile(error)) throw error;
    }
  }

  #markLost(): void {
    this.#lost = true;
  }
}

/** Another process created it in between: PostgreSQL reports one of these, depending on the moment. */
function isMadeMeanwhile(error: unknown): boolean {
  return ["42P04", "42710", "23505"].includes(errorCode(error) ?? "");
}

export function databaseUrl(port: number, { role, password }: Account): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

function applicationName(): string {
  return `cauri:${process.pid}`;
}

function refusedPassword(port: number, cause: unknown): EmbeddedUnavailable {
  return new EmbeddedUnavailable(
    `The embedded PostgreSQL on port ${port} does not accept the password in postgres.admin-password (of an older folder: postgres.password). Put back the file that belongs to this database.`,
    { cause },
  );
}
