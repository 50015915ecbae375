import {
  AbortedError,
  type CauriError,
  ConnectionError,
  TimeoutError,
  UnexpectedAnswerError,
} from "./errors.ts";
import { readRetryAfterMs } from "./pause.ts";
import { readText } from "./read-body.ts";
import { isErrorBody, toApiError } from "./to-api-error.ts";

export interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly correlationId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly fetch: typeof globalThis.fetch;
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

/** The request never left: there was nobody to give it to. */
const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** Asks once. Always ends: in time, with the signal, or with what came. */
export async function attempt(request: Request): Promise<Outcome> {
  const { correlationId, signal, timeoutMs } = request;
  const controller = new AbortController();
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
    end({ error, isRefusal: false, mayPass: true });
  }, timeoutMs);
  const stop = () => end(abortedBy(signal, correlationId, false));
  signal?.addEventListener("abort", stop);
  try {
    return await Promise.race([ended, ask(request, controller.signal)]);
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

async function ask(request: Request, signal: AbortSignal): Promise<Outcome> {
  const { url, method, headers, body, correlationId, fetch } = request;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: { ...headers, "x-correlation-id": correlationId },
      // A token goes to the address that was given, and nowhere else. Not every platform knows "error".
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body }),
    });
  } catch (cause) {
    const { message, code } = rootOf(cause);
    const error = new ConnectionError(`No answer came: ${message}.`, { correlationId, cause });
    return { error, isRefusal: neverSent.has(code), mayPass: true };
  }
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
    if (response.ok) return { answer: await request.read(response, fail) };
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
function rootOf(error: unknown): { readonly message: string; readonly code: string } {
  const outer = (error ?? {}) as Error & { readonly code?: string };
  const { message, code } = (outer.cause ?? outer) as typeof outer;
  return { message: message || code || String(error), code: code ?? "" };
}
