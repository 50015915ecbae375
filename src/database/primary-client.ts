import pg from "pg";
import type { DatabaseHost } from "../kernel/database-url.ts";
import {
  type Durability,
  type DurabilityValues,
  durabilityColumns,
  NotDurable,
} from "./durability.ts";
import {
  isBrokenConnection,
  isOutdatedStatement,
  isUnavailable,
  sqlState,
  UnusableServer,
} from "./errors.ts";
import { letsNobodyWrite, type Servers } from "./servers.ts";
import type { Position, Timelines } from "./timelines.ts";

export interface PrimaryConfig extends pg.ClientConfig {
  readonly servers: Servers;
  readonly timelines: Timelines;
  /** Undefined: nothing is written on this connection. */
  readonly durability?: Durability | undefined;
}

/** What a server says of itself. */
interface Standing extends DurabilityValues {
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
  readonly system: string | null;
  readonly timeline: number | null;
}

const standing = `
  select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
    ${durabilityColumns.text}`;
/** A standby has no timeline of its own to write on. */
const standingWithPosition = `${standing},
    (select system_identifier::text from pg_control_system()) as system,
    case when not pg_is_in_recovery()
      then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline`;
/** No such function, not allowed, not supported: some who offer PostgreSQL as a service keep these to themselves. */
const untold = new Set(["42883", "42501", "0A000"]);

/**
 * A connection that counts as open once its server has said that it is the primary: no standby, on no older timeline
 * than the newest that was seen, and of the same database. A session cannot change that: a primary has to restart to
 * become a standby, which ends its connections. And it keeps what it acknowledges, where that is asked for.
 */
export class PrimaryClient extends pg.Client {
  readonly #config: PrimaryConfig;
  readonly #host: DatabaseHost;
  /** For connecting and asking together. */
  readonly #limitMs: number;
  #isLate = false;
  #position: Position | undefined;

  constructor(config: PrimaryConfig) {
    const host = config.servers.current;
    const limitMs = config.servers.connectTimeoutMs ?? config.connectionTimeoutMillis ?? 0;
    super({ ...config, connectionString: host.url, connectionTimeoutMillis: 0 });
    this.#config = config;
    this.#host = host;
    this.#limitMs = limitMs;
    // A connection that breaks tells whoever uses it through the statement that fails; the event it emits besides
    // would end the process if nobody listened.
    this.on("error", () => {});
  }

  override connect(): Promise<this>;
  override connect(tell: (error?: Error) => void): void;
  override connect(tell?: (error?: Error) => void): Promise<this> | void {
    const connected = this.#connectAndAsk();
    if (tell === undefined) return connected;
    connected.then(() => tell(), tell);
  }

  /** Whether a newer timeline was seen since it was opened: its server was left behind. */
  get isPast(): boolean {
    return this.#position !== undefined && this.#config.timelines.isPast(this.#position);
  }

  /** Ends it here and now, whatever is under way on it. */
  cut(): void {
    this.connection.stream.destroy();
  }

  /** Throws UnusableServer, after which the next connection is tried at the next server. */
  async #connectAndAsk(): Promise<this> {
    const { servers } = this.#config;
    const giveUp = () => {
      this.#isLate = true;
      this.cut();
    };
    const limit = this.#limitMs > 0 ? setTimeout(giveUp, this.#limitMs) : undefined;
    try {
      await super.connect();
      this.#judge(await this.#ask());
      servers.found(this.#host);
      return this;
    } catch (error) {
      this.cut();
      if (!isUnavailable(error)) throw error;
      const reason = this.#isLate ? `no answer within ${this.#limitMs} ms` : describe(error);
      const problem =
        error instanceof UnusableServer
          ? error
          : new UnusableServer(this.#host.name, `cannot be reached: ${reason}`, { cause: error });
      servers.leave(this.#host, problem);
      throw problem;
    } finally {
      clearTimeout(limit);
    }
  }

  async #ask(): Promise<Standing> {
    const ask = async (text: string) => (await this.query<Standing>(text)).rows[0];
    const answer = await ask(standingWithPosition).catch((error: unknown) => {
      if (untold.has(sqlState(error) ?? "")) return ask(standing);
      throw error;
    });
    if (answer === undefined) throw new Error("a select without a table has one row");
    return answer;
  }

  /** Throws UnusableServer. */
  #judge(said: Standing): void {
    const { servers, durability } = this.#config;
    const { name } = this.#host;
    if (said.is_standby) throw new UnusableServer(name, "is a standby");
    if (said.is_read_only && servers.sessionMust === "read-write")
      throw new UnusableServer(name, letsNobodyWrite);
    const past = this.#problemWithPosition(said);
    if (past !== undefined) throw new UnusableServer(name, past, { isGrave: true });
    const loss = durability?.problemWith(said, servers.count);
    if (loss !== undefined) throw new NotDurable(name, loss);
  }

  /** Whoever does not tell where it stands cannot be judged by that. */
  #problemWithPosition({ system, timeline }: Standing): string | undefined {
    if (typeof system !== "string" || typeof timeline !== "number") return undefined;
    this.#position = { system, timeline };
    return this.#config.timelines.problemWith(this.#position);
  }
}

/** A connection outside of every pool. Every server is tried once. */
export async function connectToPrimary(config: PrimaryConfig): Promise<PrimaryClient> {
  for (let left = config.servers.count; ; left -= 1) {
    const client = new PrimaryClient(config);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!(error instanceof UnusableServer) || left <= 1) throw error;
    }
  }
}

function describe(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: unknown; errors?: readonly Error[] };
  // Of a name with several addresses, which all failed, Node.js tells nothing in the message itself.
  return message || errors?.map((one) => one.message).join(", ") || String(code ?? error);
}

/**
 * Whether a connection has to go after this error. One that was opened while the database was read-only
 * stays read-only for as long as it lives, also when the database is not any more. One that has prepared a
 * statement keeps it, also when it is outdated.
 */
export function isUseless(error: unknown): boolean {
  return isBrokenConnection(error) || sqlState(error) === "25006" || isOutdatedStatement(error);
}
