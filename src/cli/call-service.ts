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

/** Runs a command's calls through the SDK; what it throws becomes a sentence, a code and facts. */
export async function callService<Result>(
  client: Pick<Client, "url" | "token">,
  options: CallOptions,
  work: (cauri: Cauri) => Promise<Result>,
): Promise<Result> {
  const { url, token } = client;
  const { fetch } = options;
  const cauri = new Cauri({
    url,
    token,
    retries,
    pauseMaxMs,
    timeoutMs: readTimeoutMs(process.env),
    ...(fetch === undefined ? {} : { fetch }),
  });
  try {
    return await work(cauri);
  } catch (error) {
    throw error instanceof CauriError ? toCallFailed(error, url, options) : error;
  }
}

function toCallFailed(
  error: CauriError,
  url: string,
  { whenUnknown }: CallOptions = {},
): CallFailed {
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
    return new CallFailed(describeRefusal(error), {
      code,
      facts: { status, details, correlationId },
      cause: error,
    });
  }
  if (error instanceof ConnectionError)
    return new CallFailed(
      `The service at ${url} cannot be reached. ${error.message} \`cauri doctor\` looks closer.`,
      { code: error.kind === "timeout" ? "timeout" : "unreachable", cause: error },
    );
  if (error instanceof UnexpectedAnswerError)
    return new CallFailed(
      `What answers at ${url} does not speak as this service does. ${error.message} Is the address right?`,
      { code: "unexpected_answer", facts: { status: error.status, correlationId }, cause: error },
    );
  return new CallFailed(error.message, { code: error.kind, cause: error });
}

function describeRefusal(error: ApiError): string {
  const { status, code, message, details, retryAfterMs, correlationId } = error;
  return [
    `The service refuses (${status} ${code}): ${message}`,
    ...details
      .filter((detail) => detail.message !== message)
      .map((detail) => `  ${detail.field ?? ""}: ${detail.message}`),
    ...(error instanceof AuthenticationError
      ? ["Run `cauri login` again, or look whether CAURI_TOKEN is the token of this service."]
      : []),
    ...(error instanceof RateLimitError && retryAfterMs !== undefined
      ? [`Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`]
      : []),
    ...(status >= 500 ? [`Its name in the service's log: ${correlationId ?? "none"}.`] : []),
  ].join("\n");
}
