import { type Dispatcher, errors } from "undici";
import { EgressFailed, EgressRefused } from "./errors.ts";
import type { Lane, Origin } from "./origin.ts";

export interface EgressRequest {
  readonly url: string;
  readonly method: "POST" | "GET";
  readonly headers: Record<string, string>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
  /**
   * Whose connections to use, such as the id of an endpoint: slow requests of one pool hold up those of
   * no other, even on the same host. Undefined: those that all such requests to an origin share.
   */
  readonly pool?: string;
}

export interface EgressResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** The beginning of the answer, as received: nothing is decompressed. */
  readonly body: Buffer;
  /** True when the answer was longer than what was read of it. */
  readonly isCut: boolean;
  /** The address that answered. */
  readonly peer: string;
}

export interface ExchangeLimits {
  readonly timeoutMs: number;
  readonly responseBytesMax: number;
}

/** So that an answer sent byte by byte does not cost an object per byte until it ends. */
const chunksMax = 64;

const empty = Buffer.alloc(0);

/**
 * One request and its answer, from the wait for a connection to the last byte, under one deadline.
 *
 * It is undici's handler itself: a promise and a stream less per request than through `request()`.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #origin: Origin;
  readonly #path: string;
  readonly #request: EgressRequest;
  readonly #responseBytesMax: number;
  readonly #resolve: (response: EgressResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort: (() => void) | undefined;
  #lane: Lane | undefined;
  #isOver = false;
  #statusCode = 0;
  #headers: EgressResponse["headers"] = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    origin: Origin,
    path: string,
    request: EgressRequest,
    limits: ExchangeLimits,
    resolve: (response: EgressResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#origin = origin;
    this.#path = path;
    this.#request = request;
    this.#responseBytesMax = limits.responseBytesMax;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(onDeadline, limits.timeoutMs, this);
    const { signal } = request;
    if (signal !== undefined) {
      this.#onAbort = () => this.fail(new EgressFailed("aborted", signal.reason));
      signal.addEventListener("abort", this.#onAbort);
    }
  }

  /** Called by the origin, when there is a connection. */
  start(lane: Lane): void {
    this.#lane = lane;
    const { method, headers, body } = this.#request;
    lane.client.dispatch({ path: this.#path, method, headers, body: body ?? null }, this);
  }

  onRequestStart(): void {
    // Only its presence matters: it tells undici which generation of handler this is.
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: EgressResponse["headers"],
  ): void {
    // Called for announcements (1xx) too; the last call is the answer.
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > this.#responseBytesMax) this.#finish(true);
    else if (this.#chunks.length === chunksMax) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(toFailure(error));
  }

  fail(error: Error): void {
    if (!this.#end()) return;
    this.#origin.abandon(this, this.#lane);
    this.#reject(error);
  }

  #finish(isCut: boolean): void {
    const lane = this.#lane;
    if (lane === undefined || !this.#end()) return;
    const { peer } = lane;
    if (isCut) this.#origin.abandon(this, lane);
    else this.#origin.release(lane);
    this.#resolve({
      statusCode: this.#statusCode,
      headers: this.#headers,
      // A copy, so that a small answer does not hold on to the large buffer it was read into.
      body:
        this.#bytes === 0
          ? empty
          : Buffer.concat(this.#chunks, Math.min(this.#bytes, this.#responseBytesMax)),
      isCut,
      peer,
    });
  }

  /** True the first time: an exchange has one end, although a timeout and an answer may meet. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (this.#onAbort !== undefined) {
      this.#request.signal?.removeEventListener("abort", this.#onAbort);
    }
    return true;
  }
}

function onDeadline(exchange: Exchange): void {
  exchange.fail(new EgressFailed("timeout"));
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
