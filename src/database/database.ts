import pg from "pg";
import { activities } from "../kernel/activity-board.ts";
import { commit } from "./commit.ts";
import { Durability } from "./durability.ts";
import {
  DatabaseUnavailable,
  DatabaseWaiting,
  isBrokenConnection,
  isUnavailable,
  OutcomeUnknown,
  UnusableServer,
} from "./errors.ts";
import { FullDisk } from "./full-disk.ts";
import { lookElsewhere } from "./look-elsewhere.ts";
import { Pace } from "./pace.ts";
import { isUseless, PrimaryClient } from "./primary-client.ts";
import { runAgain } from "./run-again.ts";
import { Search } from "./search.ts";
import { Servers } from "./servers.ts";
import { sessionSettings } from "./session-settings.ts";
import { type ConnectionCounts, Shares } from "./shares.ts";
import type { Query } from "./sql.ts";
import { Timelines } from "./timelines.ts";
import { type Queryable, Tx, takeRows, toConfig, type Writable } from "./tx.ts";

export { type Queryable, Tx, type Writable } from "./tx.ts";

export interface DatabaseOptions {
  /** One server or several: see `parseDatabaseUrl`. */
  readonly url: string;
  /** What is known of the database's history; by default, nothing before the first connection. */
  readonly timelines?: Timelines;
  /** What is asked of its servers' settings; by default, nothing. */
  readonly durability?: Durability | undefined;
  /** What pools of one database know of its disk together. */
  readonly disk?: FullDisk;
  readonly poolSize: number;
  readonly connectTimeoutMs?: number;
  /**
   * How long one statement may take. Whoever serves requests sets it: a statement without an end, or a
   * connection that has become a black hole, would otherwise hold its request for ever. Undefined: no limit.
   */
  readonly statementTimeoutMs?: number | undefined;
  /** After so many uses a connection ends, and with it what its server keeps for it. Undefined: it stays. */
  readonly connectionUsesMax?: number | undefined;
  /** Told of errors on idle connections, which concern nobody's request. */
  readonly onIdleError?: (error: Error) => void;
  /** Told, now and then, of a server that takes writes and must not be used. */
  readonly onGraveProblem?: (message: string) => void;
}

const connectTimeoutDefaultMs = 5_000;
/** A commit takes milliseconds, and on a very busy disk a few hundred. */
const waitingAfterMs = 1_000;

/**
 * A pool of connections to one PostgreSQL: to the primary among its servers.
 *
 * Every failure that is not the statement's own fault is thrown as DatabaseUnavailable (nothing was
 * written) or OutcomeUnknown (a commit was under way), so that callers can never mistake one for the other.
 */
export class Database implements Queryable, Writable {
  readonly timelines: Timelines;
  readonly durability: Durability;
  readonly disk: FullDisk;
  readonly servers: Servers;
  readonly #options: DatabaseOptions;
  readonly #pool: pg.Pool;
  readonly #clients = new Set<PrimaryClient>();
  readonly #ends: readonly (() => void)[];
  readonly #pace = new Pace();
  readonly #shares: Shares;
  readonly #search = new Search();
  /** Connections on which a warning came: see `#endsUncertain`. Forgotten before the statement that may commit. */
  readonly #warned = new WeakSet<pg.ClientBase>();
  readonly #forks: Database[] = [];
  #roundTrips = 0;

  constructor(options: DatabaseOptions) {
    const { statementTimeoutMs, connectTimeoutMs = connectTimeoutDefaultMs } = options;
    this.timelines = options.timelines ?? new Timelines();
    this.servers = new Servers(options.url, options.onGraveProblem);
    this.durability = options.durability ?? new Durability({ isRequired: false });
    this.disk = options.disk ?? new FullDisk();
    const { timelines, durability, disk } = this;
    this.#options = { ...options, timelines, durability, disk };
    this.#shares = new Shares(Math.ceil(options.poolSize / 2), connectTimeoutMs);
    const config = {
      // The type of the pool's option knows nothing of what the pool hands to it: this whole object.
      Client: PrimaryClient as unknown as new () => pg.ClientBase,
      servers: this.servers,
      timelines,
      durability,
      max: options.poolSize,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 60_000,
      maxUses: options.connectionUsesMax ?? Number.POSITIVE_INFINITY,
      ...sessionSettings(statementTimeoutMs),
    };
    this.#pool = new pg.Pool(config);
    this.#pool.on("error", options.onIdleError ?? (() => {}));
    this.#pool.on("connect", (client: pg.ClientBase) => {
      if (client instanceof PrimaryClient) this.#clients.add(client);
      client.on("notice", ({ code }) => {
        if (code === "01000") this.#warned.add(client);
      });
    });
    this.#pool.on("remove", (client: pg.ClientBase) => {
      if (client instanceof PrimaryClient) this.#clients.delete(client);
    });
    // A server that was left behind may hang, or wake up and go on as if nothing had happened.
    const cutPast = () => {
      for (const client of this.#clients) if (client.isPast) client.cut();
    };
    this.#ends = [this.timelines.onNewer(cutPast), lookElsewhere(config, this.#pace)];
  }

  /** A pool of its own, like this one: whoever waits for locks there takes no connection from here. */
  fork(): Database {
    const fork = new Database(this.#options);
    this.#forks.push(fork);
    return fork;
  }

  /** Statements sent, those of the forks included, for /metrics and the bench. */
  get roundTrips(): number {
    return this.#forks.reduce((sum, fork) => sum + fork.roundTrips, this.#roundTrips);
  }

  /** How the pool stands, and those of the forks behind it, for /metrics. */
  get connections(): readonly ConnectionCounts[] {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    const max = this.#options.poolSize;
    const own = { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max };
    return [own, ...this.#forks.flatMap((fork) => fork.connections)];
  }

  /** Something was sent to be written, and nothing has come back for a while. */
  get isWaiting(): boolean {
    return this.#pace.stalledMs > waitingAfterMs;
  }

  /** One statement on its own that only reads: test/writes.test.ts looks for others. */
  query<Row extends object>(query: Query): Promise<Row[]> {
    return runAgain((mayPrepare) => this.#query<Row>(query, mayPrepare));
  }

  /** One statement on its own that writes: a connection lost under way leaves its outcome unknown. */
  execute<Row extends object>(query: Query): Promise<Row[]> {
    return runAgain((mayPrepare) => this.#execute<Row>(query, mayPrepare));
  }

  /**
   * Runs `work` in a transaction: committed when it returns, rolled back when it throws. It may be run more than
   * once, so it leaves nothing behind but what it writes and returns: see `runAgain`.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return runAgain((mayPrepare) => this.#transact(work, mayPrepare));
  }

  async #query<Row extends object>(query: Query, mayPrepare: boolean): Promise<Row[]> {
    const { current } = activities;
    const client = await this.#connect();
    let broken: Error | undefined;
    try {
      this.#roundTrips += 1;
      return takeRows(await client.query<Row>(toConfig(query, mayPrepare)));
    } catch (error) {
      if (isUseless(error)) broken = error as Error;
      throw this.#toThrown(error);
    } finally {
      client.release(broken);
      activities.goOnWith(current);
    }
  }

  async #execute<Row extends object>(query: Query, mayPrepare: boolean): Promise<Row[]> {
    const { current } = activities;
    const client = await this.#connect();
    let broken: Error | undefined;
    try {
      this.#roundTrips += 1;
      this.#warned.delete(client);
      const rows = takeRows(
        await this.#pace.during(() => client.query<Row>(toConfig(query, mayPrepare))),
      );
      if (this.#endsUncertain(client)) throw new OutcomeUnknown();
      return rows;
    } catch (error) {
      if (isUseless(error)) broken = error as Error;
      if (isBrokenConnection(error)) throw new OutcomeUnknown({ cause: error });
      throw this.#toThrown(error);
    } finally {
      client.release(broken);
      activities.goOnWith(current);
    }
  }

  /** Statements on one connection, outside a transaction. It ends with the work, and with it what its session locked or set. */
  async session<Result>(work: (session: Queryable) => Promise<Result>): Promise<Result> {
    const client = await this.#connect();
    try {
      return await work({
        query: async (one) => takeRows(await client.query(toConfig(one, false))),
      });
    } catch (error) {
      throw this.#toThrown(error);
    } finally {
      client.release(true);
    }
  }

  /**
   * Runs `work` in a transaction of one owner, whose transactions together have at most half of the connections:
   * while they all wait for a lock, the other half serves the others.
   */
  async transactionOf<Result>(owner: string, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    await this.#shares.take(owner);
    try {
      return await this.transaction(work);
    } finally {
      this.#shares.giveBack(owner);
    }
  }

  async #transact<Result>(work: (tx: Tx) => Promise<Result>, mayPrepare: boolean): Promise<Result> {
    const { current } = activities;
    const client = await this.#connect();
    let broken: Error | undefined;
    const count = () => {
      this.#roundTrips += 1;
    };
    try {
      await client.query("begin");
      activities.goOnWith(current);
      const result = await work(new Tx(client, count, mayPrepare));
      this.#warned.delete(client);
      await this.#pace.during(() => commit(client));
      if (this.#endsUncertain(client)) throw new OutcomeUnknown();
      this.#roundTrips += 2;
      return result;
    } catch (error) {
      if (error instanceof OutcomeUnknown || isUseless(error)) broken = error as Error;
      else await client.query("rollback").catch((failure: Error) => (broken = failure));
      throw error instanceof OutcomeUnknown ? error : this.#toThrown(error);
    } finally {
      client.release(broken);
      activities.goOnWith(current);
    }
  }

  #toThrown(error: unknown): unknown {
    this.disk.note(error);
    return isUnavailable(error) ? new DatabaseUnavailable({ cause: error }) : error;
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.#pool.end();
  }

  /**
   * A commit that was interrupted while it waited for a synchronous standby answers with a warning (01000)
   * instead of an error: that too is an unknown outcome.
   */
  #endsUncertain(client: pg.PoolClient): boolean {
    return this.#warned.delete(client);
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      const hasNone = this.#clients.size === 0;
      return await (hasNone ? this.#search.run(() => this.#tryEach()) : this.#tryEach());
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Whoever waited for a connection in vain waited for those who write.
      const isHeldUp = this.isWaiting && !(error instanceof UnusableServer);
      throw isHeldUp
        ? new DatabaseWaiting({ cause: error })
        : new DatabaseUnavailable({ cause: error });
    }
  }

  /** Each server is tried once. */
  async #tryEach(): Promise<pg.PoolClient> {
    for (let left = this.servers.count; ; ) {
      try {
        const client = await this.#pool.connect();
        if (!(client instanceof PrimaryClient) || !client.isPast) return client;
        // A newer timeline was seen while it was being opened. There are only so many, and no new ones.
        client.release(true);
      } catch (error) {
        left -= 1;
        if (!(error instanceof UnusableServer) || left === 0) throw error;
      }
    }
  }
}
