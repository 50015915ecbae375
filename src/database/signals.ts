import assert from "node:assert/strict";
import pg from "pg";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

type Listener = (payload: string) => void;

const reconnectDelayMs = 500;
/** Between a pulse and the next; also how long one may take. */
const pulseEveryMs = 5_000;

/**
 * Hints between nodes, through PostgreSQL's LISTEN and NOTIFY. A hint can be lost while the connection is
 * down. Whoever relies on one asks `isListening` and forgets what it knows when listening begins again
 * (`onListening`), or polls as well.
 */
export class Signals {
  readonly #url: string;
  readonly #database: Database;
  readonly #pulseMs: number;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #beginnings = new Set<() => void>();
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

  on(channel: string, listener: Listener): void {
    // It becomes part of a statement.
    assert.match(channel, /^[a-z_]+$/, "a channel is named in lower case");
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(channel, listeners);
  }

  /** Called whenever listening begins, before `isListening` says so: hints may have been lost until then. */
  onListening(listener: () => void): void {
    this.#beginnings.add(listener);
  }

  /** Its own statement, never part of a transaction that moves money (a rule for sharded engines). */
  async send(channel: string, payload: string): Promise<void> {
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
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload ?? "");
    });
    this.#client = client;
    try {
      await client.connect();
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
      if (this.#client !== client || this.#isClosed) return;
      for (const listener of this.#beginnings) listener();
      this.#isListening = true;
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
