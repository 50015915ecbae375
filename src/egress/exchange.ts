import { type Dispatcher, errors } from "undici";
import type { Connection, Destination } from "./destination.ts";
import { EgressFailed, EgressRefused } from "./errors.ts";

export interface EgressRequest {
  readonly url: string;
  /** Whose request it is. Those of different owners share no connection, so that none waits for another's. */
  readonly owner: string;
  readonly method: "POST" | "GET";
  readonly headers: Record<string, string>;
  readonly body?: string | Buffer;
}

export interface EgressResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** The beginning of the answer, as received: nothing is decompressed. */
  readonly body: Buffer;
  /** True when the answer was longer than what was read of it. */
  readonly isCut: boolean;
}

export interface ExchangeLimits {
  /** For the whole exchange: the wait for a connection, DNS, TCP, TLS, headers and body. */
  readonly timeoutMs: number;
  /** What is read of an answer. The connection of a longer one is closed. */
  readonly responseBytesMax: number;
}

/** An answer that comes byte by byte is put together now and then, because each piece holds a large buffer. */
const chunksMax = 64;

/** Announcements (1xx) are answers before the answer, and cost nearly as much; nobody needs more than one or two. */
const announcementsMax = 10;

const empty = Buffer.alloc(0);

/**
 * One request and its answer, from the wait for a connection to the last byte, under one deadline.
 *
 * It is undici's handler itself: through `request()`, with its stream and promises, a request costs half as
 * much again.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<EgressResponse>;
  readonly #destination: Destination;
  readonly #request: EgressRequest;
  readonly #bytesMax: number;
  readonly #deadline: NodeJS.Timeout;
  #resolve!: (response: EgressResponse) => void;
  #reject!: (error: Error) => void;
  #connection: Connection | undefined;
  #isOver = false;
  #announcements = 0;
  #statusCode = 0;
  #headers: EgressResponse["headers"] = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(destination: Destination, request: EgressRequest, limits: ExchangeLimits) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#destination = destination;
    this.#request = request;
    this.#bytesMax = limits.responseBytesMax;
    this.#deadline = setTimeout(() => this.fail(new EgressFailed("timeout")), limits.timeoutMs);
    destination.enter(this);
  }

  /** Called by the destination when there is a connection. */
  start(connection: Connection): void {
    this.#connection = connection;
    const { method, headers, body = null } = this.#request;
    connection.client.dispatch({ path: this.#destination.path, method, headers, body }, this);
  }

  onRequestStart(): void {
    // Only its presence matters: it tells undici which generation of handler this is.
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: EgressResponse["headers"],
  ): void {
    // Called for announcements (1xx) too; the last call is the answer.
    if (statusCode < 200) this.#announcements += 1;
    // Ends the connection at once, and with it all that was received and not read yet.
    if (this.#announcements > announcementsMax) controller.abort(new EgressFailed("protocol"));
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesMax) this.#finish(true);
    else if (this.#chunks.length === chunksMax) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(toFailure(error));
  }

  fail(error: Error): void {
    if (this.#end(false)) this.#reject(error);
  }

  #finish(isCut: boolean): void {
    if (!this.#end(!isCut)) return;
    this.#resolve({
      statusCode: this.#statusCode,
      headers: this.#headers,
      // A copy, so that a small answer does not hold on to the large buffer it was read into.
      body:
        this.#bytes === 0
          ? empty
          : Buffer.concat(this.#chunks, Math.min(this.#bytes, this.#bytesMax)),
      isCut,
    });
  }

  /** True the first time: an exchange has one end, although a timeout and an answer may meet. */
  #end(isConnectionKept: boolean): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#deadline);
    this.#destination.leave(this, this.#connection, isConnectionKept);
    return true;
  }
}

/** The connector's errors say what they are; what remains happened on an open connection. */
function toFailure(error: Error): Error {
  if (error instanceof EgressRefused || error instanceof EgressFailed) return error;
  // Our own mistake in building the request, which must not be counted as the receiver's.
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError) {
    return error;
  }
  // Only the message, because this error carries what was received, and that may be anything.
  if (error instanceof errors.HTTPParserError) return new EgressFailed("protocol", error.message);
  const isViolation =
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError;
  return new EgressFailed(isViolation ? "protocol" : "reset", error);
}
