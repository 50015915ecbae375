import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What a server can do to a request. Those before "–" never do what was asked; the others do it first. */
export const behaviours = [
  "refuse: 402",
  "refuse: 401",
  "refuse: 429, Retry-After 0",
  "refuse: 429, Retry-After 99999",
  "refuse: 503 overloaded",
  "refuse: 408",
  "lose: 503 outcome_unknown",
  "lose: 500",
  "lose: reset before the answer",
  "lose: a page of a proxy, 502",
  "lose: a page of a proxy, 403",
  "lose: a redirect",
  "take: 503 outcome_unknown",
  "take: 500",
  "take: reset before the answer",
  "take: silence",
  "take: cut inside the headers",
  "take: cut inside the body",
  "take: a body that never ends",
  "take: wrong JSON",
  "take: an empty body",
  "take: no body, 204",
  "take: another request's answer",
  "take: another status than its body has",
  "take: a page of a proxy, 504",
  "take: a page of a proxy, 200",
  "take: the answer twice",
  "take: the answer, late",
  "take: the answer, byte by byte",
  "take: the answer",
] as const;
export type Behaviour = (typeof behaviours)[number];

/** Later than who is in a hurry waits, and sooner than anybody else. */
const lateMs = 450;

/** An attempt, as it came. */
export interface Taken {
  readonly key: string;
  readonly body: string;
  readonly correlationId: string;
}

/**
 * A bank on loopback that keeps its books honestly and its manners not at all: a key pays once, whatever it then answers.
 * `script` says what becomes of each request, in order; afterwards it behaves.
 */
export class HostileServer {
  readonly taken: Taken[] = [];
  readonly payments = new Map<string, object>();
  script: Behaviour[] = [];
  /** Where its redirects lead. */
  elsewhere = "http://127.0.0.1:9/";
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => {});
    });
  }

  static async start(): Promise<HostileServer> {
    const server = new HostileServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    onTestFinished(() => server.stop());
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    for (const socket of this.#sockets) socket.destroy();
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
    const key = String(request.headers["idempotency-key"]);
    const correlationId = String(request.headers["x-correlation-id"]);
    this.taken.push({ key, body: Buffer.concat(chunks).toString("utf8"), correlationId });
    let behaviour = this.script.shift() ?? "take: the answer";
    // A service that looks finds what was done under the key, and does not refuse it.
    if (behaviour === "refuse: 402" && this.payments.has(key)) behaviour = "take: the answer";
    if (behaviour.startsWith("take:") && !this.payments.has(key))
      this.payments.set(key, { id: `txn_${this.payments.size + 1}`, status: "pending" });
    const payment = JSON.stringify(this.payments.get(key) ?? {});
    behave(behaviour, response, correlationId, payment, this.elsewhere);
  }
}

/** The answer that goes out, and what else happens to its connection. */
function behave(
  behaviour: Behaviour,
  response: ServerResponse,
  correlationId: string,
  payment: string,
  elsewhere: string,
): void {
  const socket = response.socket;
  const send = (status: number, body: string, headers: Record<string, string> = {}) =>
    response
      .writeHead(status, {
        "content-type": "application/json",
        "x-correlation-id": correlationId,
        ...headers,
      })
      .end(body);
  const refuse = (status: number, code: string, headers?: Record<string, string>) =>
    send(
      status,
      JSON.stringify({ statusCode: status, error: "", message: code, code, correlationId }),
      headers,
    );
  const page = (status: number) =>
    response.writeHead(status, { "content-type": "text/html" }).end("<h1>Bad day</h1>");
  const head = `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nx-correlation-id: ${correlationId}\r\n`;
  const whole = `${head}content-length: ${payment.length}\r\n\r\n${payment}`;

  switch (behaviour) {
    case "refuse: 402":
      return void refuse(402, "insufficient_funds");
    case "refuse: 401":
      return void refuse(401, "invalid_token");
    case "refuse: 429, Retry-After 0":
      return void refuse(429, "rate_limited", { "retry-after": "0" });
    case "refuse: 429, Retry-After 99999":
      return void refuse(429, "rate_limited", { "retry-after": "99999" });
    case "refuse: 503 overloaded":
      return void refuse(503, "overloaded", { "retry-after": "0" });
    case "refuse: 408":
      return void refuse(408, "request_timeout");
    case "lose: 503 outcome_unknown":
    case "take: 503 outcome_unknown":
      return void refuse(503, "outcome_unknown");
    case "lose: 500":
    case "take: 500":
      return void refuse(500, "internal_error");
    case "lose: reset before the answer":
    case "take: reset before the answer":
      return void socket?.resetAndDestroy();
    case "lose: a page of a proxy, 502":
      return void page(502);
    case "lose: a page of a proxy, 403":
      return void page(403);
    case "lose: a redirect":
      return void response.writeHead(307, { location: elsewhere }).end();
    case "take: silence":
      return;
    case "take: cut inside the headers":
      return void socket?.end(head.slice(0, 40));
    case "take: cut inside the body":
      return void socket?.end(whole.slice(0, -5));
    case "take: a body that never ends":
      return void socket?.write(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"id"\r\n`);
    case "take: wrong JSON":
      return void send(201, payment.slice(0, -1));
    case "take: an empty body":
      return void send(201, "{}");
    case "take: no body, 204":
      return void response.writeHead(204, { "x-correlation-id": correlationId }).end();
    case "take: another request's answer":
      return void send(201, '{"id":"txn_of_somebody_else"}', { "x-correlation-id": "another" });
    case "take: another status than its body has":
      return void send(
        402,
        JSON.stringify({ statusCode: 500, message: "", code: "internal_error" }),
      );
    case "take: a page of a proxy, 504":
      return void page(504);
    case "take: a page of a proxy, 200":
      return void page(200);
    case "take: the answer twice":
      return void socket?.write(whole + whole);
    case "take: the answer, late":
      return void setTimeout(() => send(201, payment), lateMs);
    case "take: the answer, byte by byte":
      return trickle(socket, whole);
    case "take: the answer":
      return void send(201, payment);
    default:
      throw new Error(behaviour satisfies never);
  }
}

/** Sends one byte after the other, for as long as somebody takes them. */
function trickle(socket: Socket | null, text: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (socket === null || socket.destroyed || sent === text.length) return clearInterval(timer);
    socket.write(text.charAt(sent));
    sent += 1;
  }, 1);
}
