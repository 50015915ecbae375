import pg from "pg";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

export type Channel = "access_token_changed" | "company_changed" | "webhook_deleted" | "work_ready";

type Listener = (payload: string) => void;

const reconnectDelayMs = 500;
/** Between a pulse and the next; also how long one may take. */
const pulseEveryMs = 5_000;

/**
 * Hints between nodes, through PostgreSQL's LISTEN and NOTIFY. A hint can be lost while the connection is
 * down: whoever relies on one asks `isListening`, or polls as well.
 */
export class Signals {
  readonly #url: string;
  readonly #database: Database;
  readonly #pulseMs: number;
  readonly #listeners = new Map<Channel, Set<Listener>>();
  #client: pg.Client | undefined;
  #isListening = false;
  #isClosed = false;
  #reconnect: NodeJS.Timeout | undefined;

  constructor(url: string, database: Database, pulseMs = pulseEveryMs) {
    this.#url = url;
    this.#database = database;
    this.#pulseMs = pulseMs;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  on(channel: Channel, listener: Listener): void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(channel, listeners);
  }

  /** Its own statement, never part of a transaction that moves money (a rule for sharded engines). */
  async send(channel: Channel, payload: string): Promise<void> {
    await this.#database.query(sql`select pg_notify(${channel}, ${payload})`);
  }

  async start(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: `cauri:${process.pid}`,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: this.#pulseMs,
    });
    const lost = () => this.#lost(client);
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel as Channel) ?? []) listener(payload ?? "");
    });
    this.#client = client;
    try {
      await client.connect();
      // Channel names are the constants of this file, never input.
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
      this.#isListening = this.#client === client;
      this.#feelPulse(client, lost);
    } catch {
      lost();
    }
  }

  /** A connection that became a black hole makes no sound: it is asked, or it would pass for listening. */
  #feelPulse(client: pg.Client, lost: () => void): void {
    const timer = setTimeout(() => {
      if (this.#client !== client) return;
      client.query("select 1").then(() => this.#feelPulse(client, lost), lost);
    }, this.#pulseMs);
    timer.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isListening = false;
    clearTimeout(this.#reconnect);
    await this.#client?.end().catch(() => {});
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#isListening = false;
    client.end().catch(() => {});
    if (this.#isClosed) return;
    this.#reconnect = setTimeout(() => void this.start(), reconnectDelayMs);
    this.#reconnect.unref();
  }
}
