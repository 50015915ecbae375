import { once } from "node:events";
import net from "node:net";
import { buildConnector } from "undici";
import { EgressFailed, EgressRefused } from "./errors.ts";
import { type EgressPolicy, mayConnect } from "./policy.ts";
import type { Resolve, ResolvedAddress } from "./resolve-name.ts";

export interface ConnectorOptions {
  readonly policy: EgressPolicy;
  /** Of the whole attempt, so that its first address does not use up all of it. */
  readonly timeoutMs: number;
  readonly resolve: Resolve;
  readonly tls: { readonly ca?: string };
}

type Target = Pick<buildConnector.Options, "hostname" | "host" | "protocol" | "port">;

/**
 * Node moves to the next address of a name after 250 ms, which is less than a round trip to another
 * continent takes; a receiver that is merely far away would then look unreachable.
 */
const addressAttemptMaxMs = 1_000;

/** Opens connections to allowed addresses only. Shared by all origins, and with it the TLS sessions. */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #secure: buildConnector.connector;
  readonly #lookups = new Map<string, Promise<readonly ResolvedAddress[]>>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#secure = buildConnector({
      ...options.tls,
      // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not reach this.
      rejectUnauthorized: true,
      allowH2: false,
      timeout: 0,
    });
  }

  /**
   * Answers once through the callback. What it returns gives the connection up, at any stage: there is
   * no deadline here, because nothing is opened without a request, and the request has one.
   */
  open(target: Target, callback: buildConnector.Callback): () => void {
    const giveUp = new AbortController();
    const answer = async (): Promise<void> => {
      let socket: net.Socket;
      try {
        socket = await this.#open(target, giveUp.signal);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      callback(null, socket);
    };
    void answer();
    return () => giveUp.abort();
  }

  async #open(target: Target, signal: AbortSignal): Promise<net.Socket> {
    let stage: "dns" | "connect" | "tls" = "dns";
    let socket: net.Socket | undefined;
    try {
      const addresses = await unlessAborted(this.#findAddresses(target.hostname), signal);

      stage = "connect";
      socket = this.#dial(target, addresses);
      await once(socket, "connect", { signal });
      this.#checkPeer(socket);
      if (target.protocol !== "https:") return socket;

      stage = "tls";
      return await unlessAborted(this.#toSecure(target, socket), signal);
    } catch (error) {
      socket?.destroy();
      if (error instanceof EgressRefused) throw error;
      throw new EgressFailed(stage, error);
    }
  }

  /** The addresses that may be dialled: all of the name's, or none. */
  async #findAddresses(hostname: string): Promise<readonly ResolvedAddress[]> {
    const family = net.isIP(hostname);
    const addresses =
      family === 0
        ? await this.#lookUp(hostname)
        : [{ address: hostname, family: family === 6 ? 6 : 4 } as const];
    if (addresses.length === 0) throw new Error(`${hostname} has no addresses`);
    if (!addresses.every(({ address }) => mayConnect(address, this.#options.policy))) {
      throw new EgressRefused("The host name leads to an address that is not public.");
    }
    return addresses;
  }

  /** Nothing is cached, every connection asks anew; only those opened at the same moment share an answer. */
  #lookUp(hostname: string): Promise<readonly ResolvedAddress[]> {
    const running = this.#lookups.get(hostname);
    if (running !== undefined) return running;
    const lookup = this.#options
      .resolve(hostname)
      .finally(() => void this.#lookups.delete(hostname));
    this.#lookups.set(hostname, lookup);
    return lookup;
  }

  /** Dials what was checked and nothing else: the name is not resolved a second time. */
  #dial({ hostname, port, protocol }: Target, addresses: readonly ResolvedAddress[]): net.Socket {
    const attemptMs = Math.max(10, Math.min(addressAttemptMaxMs, this.#options.timeoutMs / 4));
    const socket = net.connect({
      host: hostname,
      port: Number(port || (protocol === "https:" ? 443 : 80)),
      lookup: (_hostname, _options, callback) => callback(null, [...addresses]),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.floor(attemptMs),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    // Between the stages nobody else listens, and an error without a listener ends the process.
    socket.on("error", () => {});
    return socket;
  }

  /** The last word: whatever happened on the way, not a byte goes to a peer that is not allowed. */
  #checkPeer(socket: net.Socket): void {
    const peer = socket.remoteAddress;
    if (peer === undefined) throw new Error("closed at once");
    if (!mayConnect(peer, this.#options.policy)) {
      throw new EgressRefused("The connection led to an address that is not public.");
    }
  }

  /** The certificate is checked against the host of the URL, whatever the headers of the request say. */
  #toSecure({ hostname, host, protocol, port }: Target, socket: net.Socket): Promise<net.Socket> {
    return new Promise((resolve, reject) => {
      const target = { hostname, protocol, port, httpSocket: socket };
      this.#secure(host === undefined ? target : { ...target, host }, (error, secured) => {
        if (error === null) resolve(secured);
        else reject(error);
      });
    });
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}
