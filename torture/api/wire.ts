import { connect, type Socket } from "node:net";

/** One answer as it came over the wire. Header names are in lower case; a repeated header is joined by commas. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Less than a proxy takes that nobody has told otherwise. */
export const headBytesMax = 4_096;

/** Of the headers of an answer together, as they are written. */
export function headBytesOf({ headers }: Pick<WireAnswer, "headers">): number {
  let bytes = 0;
  for (const [name, value] of headers) bytes += `${name}: ${value}\r\n`.length;
  return bytes;
}

export type Exchange =
  | { readonly kind: "answered"; readonly answers: readonly WireAnswer[]; readonly isOpen: boolean }
  /** The other side hung up without a word. */
  | { readonly kind: "closed" }
  /** Nothing more came in time. */
  | { readonly kind: "silent" };

export interface WireRequest {
  readonly bytes: Buffer;
  /** Whose answers have no body, whatever their headers say. */
  readonly isHead?: boolean;
  /**
   * Whole: one request, which gets one answer. Otherwise it is unclear where it ends, so the client waits a
   * moment, closes its half and takes whatever comes back until the other side closes too.
   */
  readonly isWhole: boolean;
}

/** Node.js drops the answers it still owes to a client that has closed its half, so nobody closes it at once. */
const patienceMs = 100;

/**
 * A client that sends bytes as they are: no library in between that would refuse to send what is broken.
 * One connection at a time, kept alive between whole requests.
 */
export class Wire {
  readonly #host: string;
  readonly #port: number;
  readonly #timeoutMs: number;
  #socket: Socket | undefined;

  constructor(url: string, timeoutMs: number) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
    this.#timeoutMs = timeoutMs;
  }

  async send(request: WireRequest): Promise<Exchange> {
    const kept = this.#socket;
    this.#socket = undefined;
    if (!request.isWhole) {
      kept?.destroy();
      return this.#exchange(connect(this.#port, this.#host), request);
    }
    const exchange = await this.#exchange(kept ?? connect(this.#port, this.#host), request);
    // A kept connection may have been closed while nobody looked: then the request was never read.
    return exchange.kind === "closed" && kept !== undefined
      ? this.#exchange(connect(this.#port, this.#host), request)
      : exchange;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #exchange(socket: Socket, request: WireRequest): Promise<Exchange> {
    return new Promise((resolve) => {
      let received = Buffer.alloc(0);
      const chunks: Buffer[] = [];
      // A long answer comes in a thousand pieces: they are looked at again when there are enough.
      let missing = 0;
      const finish = (exchange: Exchange) => {
        clearTimeout(timer);
        clearTimeout(ending);
        socket.removeAllListeners();
        socket.on("error", () => {});
        const isReusable = exchange.kind === "answered" && exchange.isOpen && request.isWhole;
        if (isReusable) this.#socket = socket;
        else socket.destroy();
        resolve(exchange);
      };
      const timer = setTimeout(() => finish({ kind: "silent" }), this.#timeoutMs);
      const ending = request.isWhole ? undefined : setTimeout(() => socket.end(), patienceMs);
      const read = (isOver: boolean) => {
        received = Buffer.concat([received, ...chunks.splice(0)]);
        const parsed = parseAnswers(received, request.isHead === true, isOver);
        missing = parsed.missing;
        return parsed;
      };
      const onEnd = () => {
        const { answers } = read(true);
        finish(
          answers.length === 0 ? { kind: "closed" } : { kind: "answered", answers, isOpen: false },
        );
      };
      socket.on("data", (chunk) => {
        chunks.push(chunk);
        missing -= chunk.length;
        if (!request.isWhole || missing > 0) return;
        const { answers, mayFollow } = read(false);
        if (answers.length > 0) finish({ kind: "answered", answers, isOpen: mayFollow });
      });
      socket.on("error", onEnd);
      socket.on("close", onEnd);
      socket.write(request.bytes);
    });
  }
}

interface Parsed {
  readonly answers: readonly WireAnswer[];
  /** Whether the connection can carry another request. */
  readonly mayFollow: boolean;
  /** Bytes that are still to come for sure. */
  readonly missing: number;
}

function parseAnswers(received: Buffer, isHead: boolean, isOver: boolean): Parsed {
  const answers: WireAnswer[] = [];
  let mayFollow = true;
  let start = 0;
  for (;;) {
    const end = received.indexOf("\r\n\r\n", start);
    if (end === -1) return { answers, mayFollow, missing: 0 };
    const { status, headers } = parseHead(received.toString("latin1", start, end));
    const bodyStart = end + 4;
    if (status < 200) {
      start = bodyStart;
      continue;
    }
    const isBare = isHead || status === 204 || status === 304;
    const body = isBare
      ? { bytes: Buffer.alloc(0), end: bodyStart }
      : parseBody(received, bodyStart, headers, isOver);
    if (body === undefined) {
      const missing = bodyStart + Number(headers.get("content-length") ?? 0) - received.length;
      return { answers, mayFollow, missing };
    }
    answers.push({ status, headers, body: body.bytes });
    mayFollow &&= headers.get("connection")?.toLowerCase() !== "close";
    start = body.end;
  }
}

function parseHead(text: string): { status: number; headers: Map<string, string> } {
  const [start = "", ...lines] = text.split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(start)?.[1] ?? Number.NaN), headers };
}

function parseBody(
  received: Buffer,
  start: number,
  headers: ReadonlyMap<string, string>,
  isOver: boolean,
): { readonly bytes: Buffer; readonly end: number } | undefined {
  if (headers.get("transfer-encoding")?.toLowerCase() === "chunked")
    return parseChunks(received, start);
  const length = headers.get("content-length");
  if (length === undefined)
    return isOver ? { bytes: received.subarray(start), end: received.length } : undefined;
  const end = start + Number(length);
  return received.length < end ? undefined : { bytes: received.subarray(start, end), end };
}

function parseChunks(
  received: Buffer,
  start: number,
): { readonly bytes: Buffer; readonly end: number } | undefined {
  const parts: Buffer[] = [];
  let place = start;
  for (;;) {
    const lineEnd = received.indexOf("\r\n", place);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(received.toString("latin1", place, lineEnd), 16);
    const dataEnd = lineEnd + 2 + size;
    if (received.length < dataEnd + 2) return undefined;
    if (size === 0) return { bytes: Buffer.concat(parts), end: dataEnd + 2 };
    parts.push(received.subarray(lineEnd + 2, dataEnd));
    place = dataEnd + 2;
  }
}
