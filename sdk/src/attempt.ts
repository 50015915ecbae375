import {
  AbortedError,
  type CauriError,
  ConnectionError,
  TimeoutError,
  UnexpectedAnswerError,
} from "./errors.ts";
import { isNeverSent, listenForFailedConnections } from "./never-sent.ts";
import { readRetryAfterMs } from "./pause.ts";
import { readText } from "./read-body.ts";
import { keepResponse } from "./response.ts";
import type { Hooks, OutgoingRequest } from "./settings.ts";
import { isErrorBody, toApiError } from "./to-api-error.ts";

/** How TLS libraries say that what came back is no TLS at all. */
const noTls = /wrong.version.number|packet.length.too.long|record.layer.failure/i;

export interface Request extends OutgoingRequest {
  readonly token: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly hooks: Hooks;
  /** Makes the answer of a response that is a success, or throws. */
  readonly read: (response: Response, fail: Fail) => Promise<unknown>;
}

/** An answer that is not the service's. */
export type Fail = (what: string, cause?: unknown) => UnexpectedAnswerError;

export interface Failure {
  readonly error: CauriError;
  /** Whether this attempt certainly changed nothing. */
  readonly isRefusal: boolean;
  /** Whether another attempt may end differently. */
  readonly mayPass: boolean;
}

export type Outcome = { readonly answer: unknown } | Failure;

/** Asks once. Always ends: in time, with the signal, or with what came. */
export async function attempt(request: Request): Promise<Outcome> {
  const { correlationId, signal, timeoutMs } = request;
  const controller = new AbortController();
  let isSent = false;
  let end: (outcome: Outcome) => void = () => {};
  // A fetch that hears no signal is left behind.
  const ended = new Promise<Outcome>((resolve) => {
    end = (outcome) => {
      resolve(outcome);
      controller.abort();
    };
  });
  const timer = setTimeout(() => {
    const error = new TimeoutError(`No whole answer came within ${timeoutMs} ms.`, {
      correlationId,
    });
    end({ error, isRefusal: !isSent, mayPass: true });
  }, timeoutMs);
  const stop = () => end(abortedBy(signal, correlationId, !isSent));
  signal?.addEventListener("abort", stop);
  try {
    const asked = ask(request, controller.signal, () => {
      isSent = true;
    });
    return await Promise.race([ended, asked]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** It changed nothing only if it was not even sent. */
export function abortedBy(
  signal: AbortSignal | undefined,
  correlationId: string,
  isRefusal: boolean,
): Failure {
  const cause: unknown = signal?.reason;
  const error = new AbortedError("The caller's signal ended it.", { correlationId, cause });
  return { error, isRefusal, mayPass: false };
}

async function ask(request: Request, signal: AbortSignal, onSent: () => void): Promise<Outcome> {
  const { url, method, body, correlationId, fetch, hooks } = request;
  listenForFailedConnections();
  let headers: Headers;
  try {
    headers = new Headers((await hooks.beforeRequest?.(toldOf(request))) ?? {});
  } catch (cause) {
    const error = new AbortedError("beforeRequest ended it.", { correlationId, cause });
    return { error, isRefusal: true, mayPass: false };
  }
  const startMs = performance.now();
  let response: Response;
  try {
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, value);
    headers.set("authorization", `Bearer ${request.token}`);
    signal.throwIfAborted();
    onSent();
    response = await fetch(url, {
      method,
      headers,
      // A token goes to the address that was given, and nowhere else. Not every platform knows "error".
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body }),
    });
  } catch (cause) {
    const root = rootOf(cause);
    const why = noTls.test(root.message)
      ? "https was asked of an address that speaks http"
      : root.message || root.code || String(cause);
    const error = new ConnectionError(`No answer came: ${why}.`, { correlationId, cause });
    return { error, isRefusal: isNeverSent(root), mayPass: true };
  }
  tell(hooks, request, response, performance.now() - startMs);
  const { status } = response;
  const fail: Fail = (what, cause) =>
    new UnexpectedAnswerError(`The answer (${status}) cannot be used: ${what}.`, {
      status,
      correlationId,
      cause,
    });
  try {
    const echo = response.headers.get("x-correlation-id");
    if (echo !== null && echo !== correlationId) throw fail("it is the answer to another request");
    if (response.ok) {
      const answer = await request.read(response, fail);
      keepResponse(answer, { status, headers: response.headers, correlationId });
      return { answer };
    }
    if (status < 400) throw fail("a redirect, which is not followed");
    return await refusalOf(response, correlationId, fail);
  } catch (cause) {
    const error =
      cause instanceof UnexpectedAnswerError ? cause : fail("its body could not be read", cause);
    return { error, isRefusal: false, mayPass: error.isTemporary };
  }
}

/** What the service says no with. Only where it says that it does not know, or has made a mistake, something may have happened. */
async function refusalOf(response: Response, correlationId: string, fail: Fail): Promise<Failure> {
  const { status } = response;
  const body: unknown = parse(await readText(response, fail));
  if (!isErrorBody(body, status)) throw fail("that is no error of the service");
  const retryAfterMs = readRetryAfterMs(response.headers.get("retry-after"));
  return {
    error: toApiError({ status, body, retryAfterMs, correlationId }),
    isRefusal: status < 500 || (status === 503 && body.code !== "outcome_unknown"),
    mayPass: status >= 500 || status === 429 || status === 408,
  };
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What fetch throws says little; what happened is behind it. */
function rootOf(error: unknown): Error & { readonly code?: string } {
  const outer = (error ?? {}) as Error;
  return (outer.cause ?? outer) as Error;
}

/** What hooks are told: everything but the token, so that a log of it holds no secret. */
function toldOf(request: OutgoingRequest): OutgoingRequest {
  const { method, url, headers, body, correlationId, idempotencyKey } = request;
  return { method, url, headers, body, correlationId, idempotencyKey, attempt: request.attempt };
}

/** A hook that fails must not make a failure of a payment that was made. */
function tell({ afterResponse }: Hooks, request: Request, response: Response, durationMs: number) {
  const { status, headers } = response;
  const { correlationId } = request;
  const facts = { request: toldOf(request), status, headers, correlationId, durationMs };
  new Promise((resolve) => resolve(afterResponse?.(facts))).catch(() => {});
}
