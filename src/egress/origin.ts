import { Client } from "undici";
import type { Connector } from "./connector.ts";
import type { Exchange } from "./exchange.ts";

const headerBytesMax = 16 * 1_024;

/** Most servers close an idle connection after 5 s; a request that meets that moment would be lost. */
const keepAliveMs = 4_000;
/** As long as a receiver that promises more is believed. */
const keepAliveMaxMs = 55_000;

/** One connection, with one request on it at a time. */
export class Lane {
  readonly client: Client;
  /** The address the connection leads to; empty until there is one. */
  peer = "";
  #giveUp: (() => void) | undefined;

  constructor(origin: string, connector: Connector) {
    this.client = new Client(origin, {
      connect: (target, callback) => {
        this.#giveUp = connector.open(target, (...result) => {
          this.peer = result[1]?.remoteAddress ?? "";
          callback(...result);
        });
      },
      // A receiver that pipelines badly could give the answer to one company's event to another's.
      pipelining: 1,
      maxHeaderSize: headerBytesMax,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMaxMs,
      // The exchange has one deadline for everything; timers for its parts would only cost.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async destroy(): Promise<void> {
    this.#giveUp?.();
    await this.client.destroy();
  }
}

/**
 * The connections to one origin, and the requests that wait for one.
 *
 * Not undici's Pool, because that cannot take back a request which still waits, reconnects for requests
 * that were given up, and exceeds its number of connections when connecting fails.
 */
export class Origin {
  readonly #origin: string;
  readonly #connector: Connector;
  readonly #lanesMax: number;
  readonly #lanes = new Set<Lane>();
  readonly #idle: Lane[] = [];
  /** A set is a queue from which anything can be removed at once. */
  readonly #waiting = new Set<Exchange>();
  #onIdle: (() => void) | undefined;
  usedAt = 0;

  constructor(origin: string, connector: Connector, lanesMax: number) {
    this.#origin = origin;
    this.#connector = connector;
    this.#lanesMax = lanesMax;
  }

  get isIdle(): boolean {
    return this.#idle.length === this.#lanes.size && this.#waiting.size === 0;
  }

  /** Starts at once, or as soon as a connection is free. */
  enter(exchange: Exchange): void {
    // The connection used last comes first, so that those which are not needed fall idle and close.
    const lane = this.#idle.pop() ?? this.#addLane();
    if (lane === undefined) this.#waiting.add(exchange);
    else exchange.start(lane);
  }

  /** The exchange is over and its connection can serve the next. */
  release(lane: Lane): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#idle.push(lane);
      this.#tellIfIdle();
    } else {
      this.#waiting.delete(next);
      next.start(lane);
    }
  }

  /** The exchange was given up. Its connection is in an unknown state and goes, if it had one. */
  abandon(exchange: Exchange, lane: Lane | undefined): void {
    if (lane === undefined) {
      this.#waiting.delete(exchange);
    } else {
      this.#lanes.delete(lane);
      void lane.destroy();
      const [next] = this.#waiting;
      if (next !== undefined) {
        this.#waiting.delete(next);
        this.enter(next);
      }
    }
    this.#tellIfIdle();
  }

  /** Waits for what is under way, then closes every connection. */
  async close(): Promise<void> {
    if (!this.isIdle) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await Promise.all([...this.#lanes].map((lane) => lane.destroy()));
  }

  #addLane(): Lane | undefined {
    if (this.#lanes.size >= this.#lanesMax) return undefined;
    const lane = new Lane(this.#origin, this.#connector);
    this.#lanes.add(lane);
    return lane;
  }

  #tellIfIdle(): void {
    if (this.#onIdle !== undefined && this.isIdle) this.#onIdle();
  }
}
