import { connect, type Socket } from "node:net";

/** What one request came to. */
export interface Answer {
  readonly reference: string;
  /** 0: the connection broke. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly code: string;
  readonly ms: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  /** Begins every reference. */
  readonly name: string;
  readonly connections: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

const tickMs = 5;
const openedAtOnce = 32;

/**
 * Sends transfers over many connections. Each sends the next one as soon as it has an answer, and after a
 * refusal when Retry-After says. Raw sockets, because a client library would be the bottleneck. Connections
 * are opened beforehand: Node.js takes on one new connection in each turn of its event loop.
 */
export async function applyLoad(options: LoadOptions): Promise<Answer[]> {
  const answers: Answer[] = [];
  const lines = Array.from(
    { length: options.connections },
    (_, index) => new Line(options, `${options.name}-${index}`, (answer) => answers.push(answer)),
  );
  for (let first = 0; first < lines.length; first += openedAtOnce)
    await Promise.all(lines.slice(first, first + openedAtOnce).map((line) => line.open()));

  const deadline = performance.now() + options.seconds * 1_000;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now();
      if (now >= deadline || options.signal.aborted) {
        clearInterval(timer);
        resolve();
      } else {
        for (const line of lines) line.send(now);
      }
    }, tickMs);
  });
  await Promise.all(lines.map((line) => line.finish()));
  return answers;
}

const answerLimitMs = 60_000;

/** One connection with one request at a time. */
class Line {
  readonly #options: LoadOptions;
  readonly #name: string;
  readonly #onAnswer: (answer: Answer) => void;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #count = 0;
  #sentAt: number | undefined;
  #notBefore = 0;
  #onIdle: (() => void) | undefined;
  #isOpening = false;

  constructor(options: LoadOptions, name: string, onAnswer: (answer: Answer) => void) {
    this.#options = options;
    this.#name = name;
    this.#onAnswer = onAnswer;
  }

  /** Resolves when the service has answered on it for the first time. */
  async open(): Promise<void> {
    this.#isOpening = true;
    this.#sentAt = performance.now();
    this.#socket = this.#connect();
    this.#socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await this.#idle();
    this.#isOpening = false;
  }

  /** Unless the last request has no answer yet, or was refused just now. */
  send(now: number): void {
    if (this.#sentAt !== undefined || now < this.#notBefore) return;
    this.#count += 1;
    this.#sentAt = now;
    this.#socket ??= this.#connect();
    const { token, url } = this.#options;
    const body = JSON.stringify({
      type: "transfer",
      amount: 5_000,
      msisdn: "2250700000000",
      reference: this.#reference,
    });
    this.#socket.write(
      `POST /v1/transactions HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }

  async finish(): Promise<void> {
    if (this.#sentAt !== undefined) await this.#idle();
    this.#socket?.destroy();
  }

  async #idle(): Promise<void> {
    const timer = setTimeout(() => this.#socket?.destroy(), answerLimitMs);
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    clearTimeout(timer);
  }

  get #reference(): string {
    return `${this.#name}-${this.#count}`;
  }

  #connect(): Socket {
    const { hostname, port } = new URL(this.#options.url);
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#onData(chunk));
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#socket = undefined;
      this.#received = Buffer.alloc(0);
      this.#answer(0, "", "");
    });
    return socket;
  }

  #onData(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd === -1) return;
    const head = this.#received.toString("latin1", 0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < headEnd + 4 + length) return;
    const body = this.#received.toString("utf8", headEnd + 4, headEnd + 4 + length);
    this.#received = Buffer.alloc(0);
    this.#answer(Number(head.slice(9, 12)), head, body);
  }

  #answer(status: number, head: string, body: string): void {
    if (this.#sentAt === undefined) return;
    const now = performance.now();
    const ms = now - this.#sentAt;
    const retryAfter = /\r\nretry-after: (\d+)/i.exec(head)?.[1];
    this.#sentAt = undefined;
    this.#notBefore = now + Number(retryAfter ?? 0) * 1_000;
    if (!this.#isOpening)
      this.#onAnswer({
        reference: this.#reference,
        status,
        hasRetryAfter: retryAfter !== undefined,
        code: /"code":"(\w+)"/.exec(body)?.[1] ?? "",
        ms,
      });
    this.#onIdle?.();
  }
}
