import {
  ApiError,
  AuthenticationError,
  Cauri,
  CauriError,
  ConnectionError,
  OutcomeUnknownError,
  RateLimitError,
  UnexpectedAnswerError,
} from "@cauri/sdk";
import { toVisible } from "../kernel/visible.ts";
import { commandFor } from "./command-for.ts";
import { CallFailed } from "./errors.ts";
import { type Client, readTimeoutMs } from "./read-client.ts";

/** What is not known is neither a success nor a failure. */
export const notKnown = 4;

/** Three attempts of 15 seconds: the longest that a person waits for one request. */
const retries = 2;
const pauseMaxMs = 5_000;

export interface CallOptions {
  /** What to do when a write was sent and no answer came: the command knows what to repeat. */
  readonly whenUnknown?: string;
  readonly fetch?: typeof globalThis.fetch;
}

export type Caller = Pick<Client, "url" | "token" | "profile" | "companyId">;

/** Runs a command's calls through the SDK; what it throws becomes a sentence, a code and facts. */
export async function callService<Result>(
  client: Caller,
  options: CallOptions,
  work: (cauri: Cauri) => Promise<Result>,
): Promise<Result> {
  const { url, token, companyId } = client;
  const { fetch } = options;
  const cauri = new Cauri({
    url,
    token,
    retries,
    pauseMaxMs,
    timeoutMs: readTimeoutMs(process.env),
    ...(companyId === undefined ? {} : { companyId }),
    ...(fetch === undefined ? {} : { fetch }),
  });
  try {
    return await work(cauri);
  } catch (error) {
    if (error instanceof CauriError) throw toCallFailed(error, client, options);
    // What the service answers is read as its document says; another's answer has no such fields.
    if (error instanceof TypeError || error instanceof RangeError) throw notOurs(url, error);
    throw error;
  }
}

function toCallFailed(
  error: CauriError,
  client: Caller,
  { whenUnknown }: CallOptions = {},
): CallFailed {
  const { url } = client;
  const { correlationId = null } = error;
  if (error instanceof OutcomeUnknownError) {
    const { idempotencyKey = null, attempts } = error;
    const why = error.cause instanceof Error ? ` (${error.cause.message.replace(/\.$/, "")})` : "";
    return new CallFailed(
      `It is not known whether this took effect: no answer came that can be believed${why}. ${whenUnknown ?? "Look before you do it again."}`,
      {
        code: "outcome_unknown",
        exitCode: notKnown,
        facts: { idempotencyKey, attempts, correlationId },
        cause: error,
      },
    );
  }
  if (error instanceof ApiError) {
    const { status, code, details } = error;
    return new CallFailed(describeRefusal(error, client), {
      code,
      facts: { status, details, correlationId },
      cause: error,
    });
  }
  if (error instanceof ConnectionError)
    return new CallFailed(
      `The service at ${url} cannot be reached. ${error.message} To look closer: ${commandFor(client, "doctor")}`,
      { code: error.kind === "timeout" ? "timeout" : "unreachable", cause: error },
    );
  if (error instanceof UnexpectedAnswerError)
    return new CallFailed(
      `What answers at ${url} does not speak as this service does. ${error.message} Is the address right?`,
      { code: "unexpected_answer", facts: { status: error.status, correlationId }, cause: error },
    );
  return new CallFailed(error.message, { code: error.kind, cause: error });
}

function notOurs(url: string, cause: Error): CallFailed {
  return new CallFailed(
    `What answers at ${url} does not speak as this service does (${cause.message}). Is the address right?`,
    { code: "unexpected_answer", cause },
  );
}

function adviceAboutToken(client: Caller): string {
  if (client.profile === undefined)
    return "Look whether CAURI_TOKEN is the token of this service, or unset it and run `cauri login`.";
  return `What login has kept is not good here. To log in again: ${commandFor(client, "login")}`;
}

function describeRefusal(error: ApiError, client: Caller): string {
  const { status, code, message, details, retryAfterMs, correlationId } = error;
  return [
    toVisible(`The service refuses (${status} ${code}): ${message}`),
    ...details
      .filter((detail) => detail.message !== message)
      .map((detail) => toVisible(`  ${detail.field ?? ""}: ${detail.message}`)),
    ...(error instanceof AuthenticationError || code === "company_mismatch"
      ? [adviceAboutToken(client)]
      : []),
    ...(error instanceof RateLimitError && retryAfterMs !== undefined
      ? [`Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`]
      : []),
    ...(status >= 500 ? [`Its name in the service's log: ${correlationId ?? "none"}.`] : []),
  ].join("\n");
}
