import { abortedBy, attempt, parse, type Request } from "./attempt.ts";
import { InvalidArgumentError, OutcomeUnknownError } from "./errors.ts";
import { List, type Page } from "./list.ts";
import { askedMsOf, backOffMs, sleep } from "./pause.ts";
import { readText } from "./read-body.ts";
import {
  atLeast,
  type CallOptions,
  printable,
  type Settings,
  type WriteOptions,
} from "./settings.ts";

/**
 * What may be done when no answer came.
 * - read: it changes nothing, so it is simply asked again.
 * - keyed: it is asked again under the same Idempotency-Key, and the service does it once.
 * - same: a second time changes nothing that the first did not.
 * - once: it is not asked again unless the service says that nothing was done.
 */
export type Effect = "read" | "keyed" | "same" | "once";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export type Query = Readonly<Record<string, string | number | null | undefined>>;

export interface Call {
  readonly effect: Effect;
  readonly method: Method;
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: object | undefined;
  readonly options?: WriteOptions | undefined;
  /** A field that every whole answer has. */
  readonly has?: string;
}

/**
 * After an attempt whose outcome is not known, the service's answer to the same request under the same key is the truth
 * about both: it looked, found nothing done, and refused. Other refusals (401, 403, 429, 503) are made before it looks.
 */
const settling = new Set([400, 402, 404, 409, 422]);

/** The only place where requests are sent. */
export class Sender {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async send<Answer>(call: Call, read: Request["read"] = readJson(call.has)): Promise<Answer> {
    const { effect, options = {} } = call;
    const { signal, retries = this.#settings.retries } = options;
    atLeast(0, "retries", retries);
    const key =
      effect === "keyed"
        ? printable("idempotencyKey", options.idempotencyKey ?? crypto.randomUUID())
        : undefined;
    // The service would take another name for one that it does not like, and its answers would be nobody's.
    const name = plain("correlationId", options.correlationId ?? crypto.randomUUID());
    const request = this.#toRequest(call, key);
    let isUnknown = false;

    for (let attempts = 1; ; attempts += 1) {
      const correlationId = attempts === 1 ? name : `${name}.${attempts}`;
      const outcome =
        signal?.aborted === true
          ? abortedBy(signal, correlationId, true)
          : await attempt({ ...toAttempt(request, correlationId, attempts), read });
      if ("answer" in outcome) return outcome.answer as Answer;

      const { error, isRefusal, mayPass } = outcome;
      const status = "status" in error ? error.status : 0;
      // A webhook that is gone after an attempt to delete it is what was asked for.
      if (isUnknown && call.method === "DELETE" && status === 404) return undefined as Answer;
      isUnknown = isRefusal ? isUnknown && !settling.has(Number(status)) : true;
      const askedMs = askedMsOf(error);
      const pauseMs = Math.max(askedMs, backOffMs(attempts));
      const isOver =
        attempts > retries ||
        !mayPass ||
        askedMs > this.#settings.pauseMaxMs ||
        (effect === "once" && isUnknown);
      if (isOver) {
        throw isUnknown && effect !== "read"
          ? new OutcomeUnknownError({ idempotencyKey: key, attempts, correlationId, cause: error })
          : error;
      }
      await sleep(Math.min(pauseMs, this.#settings.pauseMaxMs), signal);
    }
  }

  get<Answer>(path: string, options?: CallOptions, query?: object, has = "id"): Promise<Answer> {
    return this.send({ effect: "read", method: "GET", path, query: query as Query, options, has });
  }

  post<Answer>(
    effect: Effect,
    path: string,
    body: object,
    options?: WriteOptions,
    has = "id",
  ): Promise<Answer> {
    return this.send({ effect, method: "POST", path, body, options, has });
  }

  list<Row, OnePage extends Page<Row> = Page<Row>>(
    path: string,
    query: object,
    options?: CallOptions,
  ): List<Row, OnePage> {
    return new List((cursor = (query as Query)["cursor"] as string | undefined) =>
      this.get<OnePage>(path, options, { ...query, cursor }, "data"),
    );
  }

  #toRequest(
    { method, path, query = {}, body, options = {} }: Call,
    key: string | undefined,
  ): Omit<Request, "correlationId" | "attempt" | "read"> {
    const { base, token, headers, hooks, fetch, timeoutMs } = this.#settings;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null) search.set(name, String(value));
    return {
      url: `${base}${wholePath(base, path)}?${search}`.replace(/\?$/, ""),
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      body: body === undefined ? undefined : toJson(body),
      idempotencyKey: key,
      token,
      hooks,
      timeoutMs: atLeast(1, "timeoutMs", options.timeoutMs ?? timeoutMs),
      signal: options.signal,
      fetch,
    };
  }
}

function toAttempt<Draft extends { readonly headers: object }>(
  draft: Draft,
  correlationId: string,
  attempts: number,
) {
  const headers = { ...draft.headers, "x-correlation-id": correlationId };
  return { ...draft, headers, correlationId, attempt: attempts };
}

/** An object with the field that every answer of its kind has: anything else is somebody else's, or not all of it. */
function readJson(field: string | undefined): Request["read"] {
  return async (response, fail) => {
    if (field === undefined && response.status === 204) return undefined;
    const body = parse(await readText(response, fail));
    if (typeof body !== "object" || body === null || !(field !== undefined && field in body))
      throw fail("that is not the service's JSON");
    return body;
  };
}

/** NaN becomes null in JSON, and a refund of null is a refund of everything: it is refused here. */
function toJson(body: object): string {
  try {
    return JSON.stringify(body, (name, value: unknown) => {
      if (typeof value === "number" && !Number.isFinite(value))
        throw new TypeError(`${name} is ${value}`);
      return value;
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidArgumentError(`The body is no JSON: ${why}.`, { cause });
  }
}

/** One step of a path. An empty id or a dot would lead to another address. */
export function step(id: string): string {
  return plain("id", id);
}

/** A whole path that leads where it says: no dots, no other host, no query of its own. */
function wholePath(base: string, path: string): string {
  const url = `${base}${path}`;
  if (!/^\/[^/?#]/.test(path) || /[?#]/.test(path) || new URL(url).href !== url)
    throw new InvalidArgumentError(
      "path must begin with / and be written as it is sent; a query goes into `query`.",
    );
  return path;
}

function plain(name: string, value: string): string {
  if (typeof value !== "string" || !/^\w[\w.:-]{0,99}$/.test(value))
    throw new InvalidArgumentError(`${name} must be 1 to 100 letters, digits and ._:-`);
  return value;
}
