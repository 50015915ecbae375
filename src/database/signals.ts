import assert from "node:assert/strict";
import type { Database, Tx } from "./database.ts";
import { connectToPrimary, type PrimaryClient } from "./primary-client.ts";
import { Servers } from "./servers.ts";
import { sql } from "./sql.ts";

type Listener = (payload: string) => void;

const connectTimeoutMs = 5_000;
const reconnectDelayMs = 200;
/** Between the answer to a pulse and the next one. */
const pulseEveryMs = 250;
/**
 * How long an answered pulse stands for: nothing that was sent before the pulse is still on its way. With this,
 * whoever trusts what it remembers is told of a change within a second, or asks.
 */
const pulseGoodForMs = 900;
/** A pulse that has not come back by then is not waited for any longer: where there is another server, it is asked. */
const pulseTimeoutMs = 5_000;
const pulseTimeoutOfSeveralMs = 2_000;

/**
 * Hints between nodes, through PostgreSQL's LISTEN and NOTIFY. A hint can be lost while the connection is
 * down, and is late while it hangs. Whoever relies on one asks `isListening` and forgets what it knows when listening
 * begins again (`onListening`), or polls as well.
 */
export class Signals {
  readonly #url: string;
  readonly #database: Database;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #beginnings = new Set<() => void>();
  readonly #stopCutting: () => void;
  #servers: Servers | undefined;
  #client: PrimaryClient | undefined;
  /** When the last pulse that came back was sent, by the process's steady clock. */
  #pulseMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #reconnect: NodeJS.Timeout | undefined;

  constructor(url: string, database: Database) {
    this.#url = url;
    this.#database = database;
    // A server that was left behind hangs, or says nothing of what happens at the new one.
    this.#stopCutting = database.timelines.onNewer(() => {
      if (this.#client?.isPast === true) this.#client.cut();
    });
  }

  /** Whether everything that was sent until a moment ago has been heard. */
  get isListening(): boolean {
    return this.isListeningAt(performance.now());
  }

  /** The same for whoever has just looked at the process's steady clock. */
  isListeningAt(nowMs: number): boolean {
    return nowMs - this.#pulseMs < pulseGoodForMs;
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

  /**
   * Part of a transaction, and sent by its commit or not at all: whoever takes something away that nodes remember cannot die
   * between the two. Commits that notify wait for one another, so this is for what people do, and never where money moves.
   */
  async sendAtCommit(tx: Tx, channel: string, payload: string): Promise<void> {
    await tx.query(sql`select pg_notify(${channel}, ${payload})`);
  }

  async start(): Promise<void> {
    this.#servers ??= new Servers(this.#url);
    let client: PrimaryClient;
    try {
      client = await connectToPrimary({
        servers: this.#servers,
        timelines: this.#database.timelines,
        application_name: `cauri:${process.pid}`,
        keepAlive: true,
        connectionTimeoutMillis: connectTimeoutMs,
        query_timeout: this.#servers.count > 1 ? pulseTimeoutOfSeveralMs : pulseTimeoutMs,
      });
    } catch {
      this.#startLater();
      return;
    }
    this.#client = client;
    const lost = () => this.#lost(client);
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload ?? "");
    });
    try {
      if (this.#isClosed || client.isPast) throw new Error("closed, or left behind, meanwhile");
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`);
      if (this.#client !== client || this.#isClosed) return;
      for (const listener of this.#beginnings) listener();
      await this.#feelPulse(client);
      this.#feelPulseAgain(client, lost);
    } catch {
      lost();
    }
  }

  /** A connection that became a black hole, or whose backend hangs, makes no sound: it is asked. */
  async #feelPulse(client: PrimaryClient): Promise<void> {
    const sentMs = performance.now();
    await client.query("select 1");
    if (this.#client === client && !this.#isClosed) this.#pulseMs = sentMs;
  }

  #feelPulseAgain(client: PrimaryClient, lost: () => void): void {
    const timer = setTimeout(() => {
      if (this.#client !== client || this.#isClosed) return;
      this.#feelPulse(client).then(() => this.#feelPulseAgain(client, lost), lost);
    }, pulseEveryMs);
    timer.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopCutting();
    this.#pulseMs = Number.NEGATIVE_INFINITY;
    clearTimeout(this.#reconnect);
    await this.#client?.end().catch(() => {});
  }

  #lost(client: PrimaryClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#pulseMs = Number.NEGATIVE_INFINITY;
    client.cut();
    this.#startLater();
  }

  #startLater(): void {
    if (this.#isClosed) return;
    this.#reconnect = setTimeout(() => void this.start(), reconnectDelayMs);
    this.#reconnect.unref();
  }
}
