import { Connector } from "./connector.ts";
import { Destination } from "./destination.ts";
import { EgressFailed, EgressRefused } from "./errors.ts";
import {
  type EgressRequest,
  type EgressResponse,
  Exchange,
  type ExchangeLimits,
} from "./exchange.ts";
import { type EgressPolicy, judgeUrl } from "./policy.ts";
import { type Resolve, resolveName } from "./resolve-name.ts";

export interface EgressClientOptions extends ExchangeLimits {
  readonly policy: EgressPolicy;
  /** For each owner and URL. */
  readonly connectionsMax: number;
  /** Owners and URLs whose connections are kept; the one used longest ago makes room for a new one. */
  readonly destinationsMax?: number;
  readonly resolve?: Resolve;
  /** A certificate authority to trust instead of the public ones. */
  readonly tls?: { readonly ca?: string };
}

const destinationsMaxDefault = 2_000;

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
  /** By owner and URL, the one used longest ago first. */
  readonly #destinations = new Map<string, Destination>();
  readonly #underWay = new Set<Exchange>();
  #isClosed = false;

  constructor(options: EgressClientOptions) {
    this.#options = options;
    this.#connector = new Connector({
      policy: options.policy,
      timeoutMs: options.timeoutMs,
      resolve: options.resolve ?? ((hostname) => resolveName(hostname)),
      tls: options.tls ?? {},
    });
  }

  /** Throws EgressRefused when it may not be sent, EgressFailed when no complete answer came. */
  async send(request: EgressRequest): Promise<EgressResponse> {
    if (this.#isClosed) throw new EgressFailed("stopped");
    const exchange = new Exchange(this.#destinationOf(request), request, this.#options);
    this.#underWay.add(exchange);
    try {
      return await exchange.answer;
    } finally {
      this.#underWay.delete(exchange);
    }
  }

  /** Takes no more requests, gives those up that are still under way after a while, and closes every connection. */
  async close(patienceMs = this.#options.timeoutMs): Promise<void> {
    this.#isClosed = true;
    const underWay = [...this.#underWay];
    const timer = setTimeout(() => {
      for (const exchange of underWay) exchange.fail(new EgressFailed("stopped"));
    }, patienceMs);
    await Promise.allSettled(underWay.map(({ answer }) => answer));
    clearTimeout(timer);
    await Promise.all([...this.#destinations.values()].map((destination) => destination.close()));
  }

  #destinationOf({ owner, url }: EgressRequest): Destination {
    const key = `${owner} ${url}`;
    const destination = this.#destinations.get(key) ?? this.#addDestination(url);
    this.#destinations.delete(key);
    this.#destinations.set(key, destination);
    return destination;
  }

  #addDestination(text: string): Destination {
    const url = judgeUrl(text, this.#options.policy);
    if (!(url instanceof URL)) throw new EgressRefused(`The URL ${url.en}`);
    const { connectionsMax, destinationsMax = destinationsMaxDefault } = this.#options;
    if (this.#destinations.size >= destinationsMax) this.#dropOldest();
    return new Destination(url, this.#connector, connectionsMax);
  }

  /** Only an idle one goes, so there are never more than the limit or the requests under way. */
  #dropOldest(): void {
    for (const [key, destination] of this.#destinations) {
      if (!destination.isIdle) continue;
      this.#destinations.delete(key);
      void destination.close();
      return;
    }
  }
}
