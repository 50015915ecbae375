import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- whoever reads a field expects it; a wrong one fails.
  readonly body: any;
  readonly atMs: number;
}

export type Responder = (
  received: Received,
  response: ServerResponse,
  request: IncomingMessage,
) => void;

/** A merchant's receiver: a real server on loopback that remembers every request, whole. */
export class Receiver {
  readonly received: Received[] = [];
  /** Test events, which are no notifications. */
  readonly tests: Received[] = [];
  readonly #server: Server;
  /** How it answers; 200 unless told otherwise. */
  respond: Responder = (_received, response) => response.writeHead(200).end("ok");

  /** How it answers test events: it is a receiver, so 200. */
  respondToTest: Responder = (_received, response) => response.writeHead(200).end("ok");

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async start(respond?: Responder): Promise<Receiver> {
    const receiver = new Receiver();
    if (respond !== undefined) receiver.respond = respond;
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async until(count: number, timeoutMs = 30_000): Promise<readonly Received[]> {
    const deadline = Date.now() + timeoutMs;
    while (this.received.length < count && Date.now() < deadline) await sleep(10);
    if (this.received.length < count)
      throw new Error(`${this.received.length} of ${count} notifications arrived`);
    return this.received;
  }

  /** Breaks every connection off; harmless when repeated. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const raw = Buffer.concat(chunks).toString("utf8");
    const received = {
      path: request.url ?? "",
      headers: request.headers,
      raw,
      body: JSON.parse(raw),
      atMs: Date.now(),
    };
    if (Object.keys(request.headers).some((name) => /^x-.+-webhook-test$/.test(name))) {
      this.tests.push(received);
      this.respondToTest(received, response, request);
      return;
    }
    this.received.push(received);
    this.respond(received, response, request);
  }
}
