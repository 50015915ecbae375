import { Client } from "undici";
import type { Connector } from "./connector.ts";

const headerBytesMax = 16 * 1_024;

/** Most servers close an idle connection after 5 s; a request that meets that moment would be lost. */
const keepAliveMs = 4_000;
/** As long as a receiver that promises more is believed. */
const keepAliveMaxMs = 55_000;

/** One connection, with one request on it at a time. It is opened when it is first used. */
export class Connection {
  readonly client: Client;
  #giveUp: (() => void) | undefined;

  constructor(origin: string, connector: Connector) {
    this.client = new Client(origin, {
      connect: (target, callback) => {
        this.#giveUp = connector.open(target, callback);
      },
      // A receiver that pipelines badly could answer one request with what belongs to another.
      pipelining: 1,
      maxHeaderSize: headerBytesMax,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMaxMs,
      // A request has one deadline for everything; timers for its parts would only cost.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async destroy(): Promise<void> {
    this.#giveUp?.();
    await this.client.destroy();
  }
}

/** What enters a destination: it is started with a connection, at once or later. */
export interface Visitor {
  start(connection: Connection): void;
}

/**
 * A URL that may be sent to, one owner's connections to it, and the requests that wait for one of them.
 *
 * undici's Pool (7.30) does not do this. For every request that is given up it opens another connection, which
 * nobody needs. It cannot end the opening of a connection, so the next request waits for it. When connecting
 * fails it opens more connections than it should (14 instead of 2), and its destroy() leaves some of them open.
 */
export class Destination {
  readonly path: string;
  readonly #origin: string;
  readonly #connector: Connector;
  readonly #connectionsMax: number;
  readonly #idle: Connection[] = [];
  /** A set is a queue from which anything can be removed at once. */
  readonly #waiting = new Set<Visitor>();
  #inUse = 0;

  constructor(url: URL, connector: Connector, connectionsMax: number) {
    this.path = url.pathname + url.search;
    this.#origin = url.origin;
    this.#connector = connector;
    this.#connectionsMax = connectionsMax;
  }

  get isIdle(): boolean {
    return this.#inUse === 0;
  }

  enter(visitor: Visitor): void {
    if (this.#inUse === this.#connectionsMax) {
      this.#waiting.add(visitor);
      return;
    }
    this.#inUse += 1;
    // The connection used last comes first, so that those which are not needed fall idle and close.
    visitor.start(this.#idle.pop() ?? this.#connect());
  }

  /** A connection on which a request was given up is in an unknown state, and not kept. */
  leave(visitor: Visitor, connection: Connection | undefined, isKept: boolean): void {
    if (connection === undefined) {
      this.#waiting.delete(visitor);
      return;
    }
    this.#inUse -= 1;
    if (isKept) this.#idle.push(connection);
    else void connection.destroy();
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.enter(next);
  }

  /** Closes the idle connections. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.map((connection) => connection.destroy()));
  }

  #connect(): Connection {
    const connection = new Connection(this.#origin, this.#connector);
    connection.client.on("disconnect", () => {
      const place = this.#idle.indexOf(connection);
      if (place !== -1) this.#idle.splice(place, 1);
    });
    return connection;
  }
}
