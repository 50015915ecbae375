import { Connector, type Resolve, resolveName } from "./connector.ts";
import { EgressFailed, EgressRefused } from "./errors.ts";
import {
  type EgressRequest,
  type EgressResponse,
  Exchange,
  type ExchangeLimits,
} from "./exchange.ts";
import { Origin } from "./origin.ts";
import { type EgressPolicy, judgeUrl } from "./policy.ts";

export interface EgressClientOptions extends ExchangeLimits {
  readonly policy: EgressPolicy;
  /** For the whole attempt: the wait for a connection, DNS, TCP, TLS, headers and body. */
  readonly timeoutMs: number;
  /** What is read of an answer. The connection of a longer one is closed. */
  readonly responseBytesMax: number;
  /** Of each pool, where requests name one. */
  readonly connectionsPerOrigin: number;
  /** Origins (of each pool) whose connections are kept; the one used longest ago makes room for a new one. */
  readonly originsMax?: number;
  readonly resolve?: Resolve;
  /** A certificate authority to trust instead of the public ones. */
  readonly tls?: { readonly ca?: string };
}

interface Target {
  readonly origin: string;
  readonly path: string;
}

const targetsMax = 2_000;
const originsMaxDefault = 2_000;
const idleMs = 60_000;
const sweepMs = 15_000;

/**
 * Sends requests to addresses that others have chosen, and only where the policy allows.
 *
 * The URL is judged before anything happens, then every DNS answer, then the connected peer, so neither a
 * strange spelling nor a name that changes its mind leads inside. It follows no redirects, uses no proxy,
 * keeps no cookies and decompresses nothing.
 */
export class EgressClient {
  readonly #options: EgressClientOptions;
  readonly #connector: Connector;
  readonly #targets = new Map<string, Target>();
  readonly #origins = new Map<string, Origin>();
  readonly #sweeper: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: EgressClientOptions) {
    this.#options = options;
    this.#connector = new Connector({
      policy: options.policy,
      timeoutMs: options.timeoutMs,
      resolve: options.resolve ?? resolveName,
      tls: options.tls ?? {},
    });
    this.#sweeper = setInterval(() => this.#closeIdle(), sweepMs).unref();
  }

  /** Throws EgressRefused when it may not be sent, EgressFailed when no complete answer came. */
  send(request: EgressRequest): Promise<EgressResponse> {
    if (this.#isClosed) return Promise.reject(new EgressFailed("closed"));
    const { signal } = request;
    if (signal?.aborted) return Promise.reject(new EgressFailed("aborted", signal.reason));
    const target = this.#judge(request.url);
    if (typeof target === "string") return Promise.reject(new EgressRefused(target));

    const origin = this.#originOf(target.origin, request.pool);
    return new Promise((resolve, reject) => {
      origin.enter(new Exchange(origin, target.path, request, this.#options, resolve, reject));
    });
  }

  /** Waits for what is under way, which takes at most the timeout, then closes every connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    await Promise.all([...this.#origins.values()].map((origin) => origin.close()));
    this.#origins.clear();
  }

  /** A URL once allowed stays allowed, and judging one can take a tenth of the time of sending. */
  #judge(text: string): Target | string {
    const known = this.#targets.get(text);
    if (known !== undefined) return known;
    const url = judgeUrl(text, this.#options.policy);
    if (typeof url === "string") return url;
    if (this.#targets.size === targetsMax) this.#targets.clear();
    const target = { origin: url.origin, path: url.pathname + url.search };
    this.#targets.set(text, target);
    return target;
  }

  #originOf(address: string, pool: string | undefined): Origin {
    // The address is always part of the key: a pool decides who shares a connection, never where it leads.
    const key = pool === undefined ? address : `${address} ${pool}`;
    let origin = this.#origins.get(key);
    if (origin === undefined) {
      this.#makeRoom();
      origin = new Origin(address, this.#connector, this.#options.connectionsPerOrigin);
      this.#origins.set(key, origin);
    }
    origin.usedAt = Date.now();
    return origin;
  }

  /** Only idle origins go, so there are never more than the limit or the requests under way. */
  #makeRoom(): void {
    if (this.#origins.size < (this.#options.originsMax ?? originsMaxDefault)) return;
    let oldest: [string, Origin] | undefined;
    for (const entry of this.#origins) {
      if (entry[1].isIdle && (oldest === undefined || entry[1].usedAt < oldest[1].usedAt)) {
        oldest = entry;
      }
    }
    if (oldest !== undefined) this.#drop(...oldest);
  }

  #closeIdle(): void {
    const before = Date.now() - idleMs;
    for (const [key, origin] of this.#origins) {
      if (origin.isIdle && origin.usedAt < before) this.#drop(key, origin);
    }
  }

  #drop(key: string, origin: Origin): void {
    this.#origins.delete(key);
    void origin.close();
  }
}
