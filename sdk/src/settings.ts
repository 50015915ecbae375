import { InvalidArgumentError } from "./errors.ts";
import type { ResponseFacts } from "./response.ts";

export interface CauriOptions {
  /** Where the service is: "https://pay.example". */
  readonly url: string;
  /** The access token, `at_…`. */
  readonly token: string;
  /** Sent as X-Company-Id: the service refuses a token that belongs to another company. */
  readonly companyId?: string;
  /** Of messages in errors: "fr", or English. */
  readonly language?: string;
  /** For one attempt, from its first byte to its last; 30 000 unless told otherwise. */
  readonly timeoutMs?: number;
  /** How often a call is repeated where that is safe; 3 unless told otherwise. */
  readonly retries?: number;
  /** The longest pause before a retry, also when the service asks for more; 30 000 unless told otherwise. */
  readonly pauseMaxMs?: number;
  /** Another fetch than the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Called before each attempt. What it answers is sent as headers too, beside the SDK's own, which stay as they are. If it
   * throws, the attempt is not made.
   */
  readonly beforeRequest?: (
    request: OutgoingRequest,
  ) => HookHeaders | undefined | Promise<HookHeaders | undefined> | void | Promise<void>;
  /** Called after each answer, a refusal too, and not waited for. What it throws changes nothing. */
  readonly afterResponse?: (response: IncomingResponse) => void | Promise<void>;
}

type HookHeaders = Readonly<Record<string, string>>;

export type Hooks = Pick<CauriOptions, "beforeRequest" | "afterResponse">;

/** An attempt, as hooks are told of it: without the token. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly correlationId: string;
  readonly idempotencyKey: string | undefined;
  /** 1, and more when it is repeated. */
  readonly attempt: number;
}

export interface IncomingResponse extends ResponseFacts {
  readonly request: OutgoingRequest;
  /** From when it was sent until its headers came. */
  readonly durationMs: number;
}

/** Of one call. */
export interface CallOptions {
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly signal?: AbortSignal;
  /** Your own name for the call in the service's log; up to 100 letters, digits and `._:-`. */
  readonly correlationId?: string;
}

export interface WriteOptions extends CallOptions {
  /** Made for each call unless you give one. Keep your own with your records, and a call can be repeated after a crash. */
  readonly idempotencyKey?: string;
}

export interface Settings {
  readonly base: string;
  readonly token: string;
  readonly hooks: Hooks;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly pauseMaxMs: number;
  readonly fetch: typeof globalThis.fetch;
}

const version = "0.1.0";

export function readSettings(options: CauriOptions): Settings {
  const { url, token, companyId, language, fetch } = options;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== "")
    throw new InvalidArgumentError("url must be an http or https URL, without a user name.");
  return {
    base: parsed.origin + withoutSlashes(parsed.pathname),
    token: printable("token", token),
    hooks: options,
    headers: {
      accept: "application/json",
      "user-agent": `cauri-sdk/${version}`,
      ...(companyId === undefined ? {} : { "x-company-id": printable("companyId", companyId) }),
      ...(language === undefined ? {} : { "accept-language": printable("language", language) }),
    },
    timeoutMs: atLeast(1, "timeoutMs", options.timeoutMs ?? 30_000),
    retries: atLeast(0, "retries", options.retries ?? 3),
    pauseMaxMs: atLeast(0, "pauseMaxMs", options.pauseMaxMs ?? 30_000),
    // Called as a plain function: a platform's fetch refuses to be another object's method.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

/** From the end: a pattern would begin anew at each slash. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

/** What can stand in a header, so that it is refused here and not somewhere inside fetch. */
export function printable(name: string, value: string): string {
  if (typeof value !== "string" || !/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(value))
    throw new InvalidArgumentError(`${name} must be 1 to 255 printable ASCII characters.`);
  return value;
}

/** Timers hold 31 bits; a longer time would be over at once. */
export function atLeast(min: number, name: string, value: number): number {
  if (!(value >= min && value < 2 ** 31))
    throw new InvalidArgumentError(`${name} must be a number from ${min}.`);
  return value;
}
