import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { CommitWatch } from "./commit-watch.ts";

/** What happens to a connection at the moment of a commit. */
export const snares = [
  /** The commit never leaves. */
  "cut before",
  /** Half of it leaves. */
  "cut inside",
  /** It leaves, and the connection breaks at once. */
  "cut after",
  /** It happens, and the answer is lost with the connection. */
  "lose the answer",
  /** It leaves, and nothing is ever heard again. */
  "fall silent",
  /** It leaves, and the database's half of the connection is closed. */
  "half-close",
] as const;
export type Snare = (typeof snares)[number];

/** A TCP proxy on loopback that misbehaves on demand: what a network does between a service and its database. */
export class TcpProxy {
  readonly #server: Server;
  readonly #host: string;
  readonly #port: number;
  readonly #links = new Set<Link>();
  #snare: Snare | undefined;
  /** Connections that were asked for, whether they were refused or not. */
  asked = 0;
  /** Snares that closed on a commit. */
  sprung = 0;
  /** Swallows what the upstream answers from now on, while requests still reach it. */
  isDeaf = false;
  /** Refuses new connections, like a database that is away. */
  isAway = false;
  /** A black hole: nothing passes in either direction, and new connections are taken and get nothing. */
  isMute = false;
  /** Holds up every chunk for this long, in order. */
  delayMs = 0;

  private constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
    this.#server = createServer((client) => this.#join(client));
  }

  static async before(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new TcpProxy(hostname, Number(port === "" ? 5432 : port));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The same database, through this proxy. */
  rewrite(url: string): string {
    const through = new URL(url);
    through.hostname = "127.0.0.1";
    through.port = String((this.#server.address() as AddressInfo).port);
    return through.href;
  }

  /** The next commit on any connection runs into it. */
  set(snare: Snare): void {
    this.#snare = snare;
  }

  /** Breaks every connection that is open now. */
  cut(): void {
    for (const link of this.#links) link.cut();
  }

  /** Closes the database's half of every connection, politely and for no reason. */
  halfClose(): void {
    for (const link of this.#links) link.client.end();
  }

  /** What is open now is a black hole from here on, for ever; new connections work. */
  silence(): void {
    for (const link of this.#links) link.isSilent = true;
  }

  /** As a healthy network again. What was silenced one by one stays so. */
  heal(): void {
    this.#snare = undefined;
    this.isDeaf = false;
    this.isAway = false;
    this.isMute = false;
    this.delayMs = 0;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    this.asked += 1;
    if (this.isAway) {
      client.resetAndDestroy();
      return;
    }
    const link = new Link(client, connect(this.#port, this.#host));
    // Whoever connects to a black hole never gets out of it again.
    link.isSilent = this.isMute;
    this.#links.add(link);
    const end = () => {
      this.#links.delete(link);
      link.cut();
    };
    const endUnlessParting = () => {
      if (!link.isParting) end();
    };
    link.client.on("close", endUnlessParting).on("error", endUnlessParting);
    link.upstream.on("close", end).on("error", end);
    link.client.on("data", (chunk) => this.#onRequest(link, chunk));
    link.upstream.on("data", (chunk) => this.#onAnswer(link, chunk));
  }

  #onRequest(link: Link, chunk: Buffer): void {
    if (link.watch.sees(chunk) && this.#snare !== undefined) {
      const snare = this.#snare;
      this.#snare = undefined;
      this.sprung += 1;
      link.spring(snare, chunk);
      return;
    }
    if (!this.#isSilent(link)) link.forward(link.upstream, chunk, this.delayMs);
  }

  #onAnswer(link: Link, chunk: Buffer): void {
    if (link.losesAnswer) link.cut();
    else if (!this.isDeaf && !this.#isSilent(link)) link.forward(link.client, chunk, this.delayMs);
  }

  #isSilent(link: Link): boolean {
    return link.isSilent || this.isMute;
  }
}

/** One client's connection and its way on. */
class Link {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly watch = new CommitWatch();
  isSilent = false;
  losesAnswer = false;
  /** The client is gone, and the last words to the database are still on their way. */
  isParting = false;
  readonly #queues = new Map<Socket, Promise<void>>();

  constructor(client: Socket, upstream: Socket) {
    this.client = client;
    this.upstream = upstream;
    for (const socket of [client, upstream]) socket.setNoDelay(true);
  }

  cut(): void {
    this.client.resetAndDestroy();
    this.upstream.destroy();
  }

  /** In order, also when the delay changes under way. */
  forward(to: Socket, chunk: Buffer, delayMs: number): void {
    const before = this.#queues.get(to);
    if (before === undefined && delayMs === 0) {
      to.write(chunk);
      return;
    }
    const sent = (before ?? Promise.resolve())
      .then(() => (delayMs > 0 ? sleep(delayMs, undefined, { ref: false }) : undefined))
      .then((): void => {
        if (to.writable) to.write(chunk);
        if (this.#queues.get(to) === sent) this.#queues.delete(to);
        return undefined;
      });
    this.#queues.set(to, sent);
  }

  spring(snare: Snare, commit: Buffer): void {
    switch (snare) {
      case "cut before":
        this.cut();
        return;
      case "cut inside":
        this.isParting = true;
        this.client.resetAndDestroy();
        this.upstream.end(commit.subarray(0, Math.ceil(commit.length / 2)));
        return;
      case "cut after":
        this.isParting = true;
        this.client.resetAndDestroy();
        this.upstream.end(commit);
        return;
      case "lose the answer":
        this.losesAnswer = true;
        this.upstream.write(commit);
        return;
      case "fall silent":
        this.isSilent = true;
        this.upstream.write(commit);
        return;
      case "half-close":
        this.upstream.write(commit);
        this.client.end();
        return;
    }
  }
}
