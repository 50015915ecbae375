import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy on loopback that misbehaves on demand: what a network does between a service and its database. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<{ readonly client: Socket; readonly upstream: Socket }>();
  /** Swallows what the upstream answers from now on, while requests still reach it. */
  isDeaf = false;
  /** Refuses new connections, like a database that is away. */
  isAway = false;

  private constructor(host: string, port: number) {
    this.#server = createServer((client) => {
      if (this.isAway) {
        client.resetAndDestroy();
        return;
      }
      const upstream = connect(port, host);
      const pair = { client, upstream };
      this.#pairs.add(pair);
      client.pipe(upstream);
      upstream.on("data", (chunk) => {
        if (!this.isDeaf) client.write(chunk);
      });
      const end = () => {
        this.#pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      };
      for (const socket of [client, upstream]) socket.on("close", end).on("error", end);
    });
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

  /** Breaks every connection that is open now. */
  cut(): void {
    for (const { client, upstream } of this.#pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }
}
