import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object;
  /** The Idempotency-Key, which makes sending again safe where there is no reference. */
  readonly key?: string;
}

/** What a caller knows after a call. Nothing else may be assumed about what happened. */
export type Outcome =
  | {
      readonly kind: "ok";
      readonly status: number;
      // oxlint-disable-next-line typescript/no-explicit-any -- whoever reads a field compares it with what the books say.
      readonly body: any;
    }
  /** Answered, and the answer promises that nothing was done. */
  | { readonly kind: "refused"; readonly status: number; readonly code: string }
  /** No answer, or one that says it cannot tell. */
  | { readonly kind: "unknown"; readonly why: string };

export interface ClientOptions {
  readonly token: string;
  /** Where the service is just now; one of several when it runs more than once. */
  readonly url: () => string;
  /** An answer that takes longer is a finding. */
  readonly answerLimitMs: number;
  /** Unless the caller means to give up early: then it is an answer that is not known. */
  readonly givesUp?: boolean;
}

const busyTriesMax = 60;
const busyPauseMs = 500;

/** Never sent at all: there was nobody to send it to, or nobody has an address just now. */
const neverSent = new Set(["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT", "ERR_INVALID_URL"]);

/** A caller that takes every answer at its word, and writes down those that make no sense. */
export class Client {
  readonly #options: ClientOptions;
  readonly #agent: Agent;
  /** Answers that are wrong in themselves, each as one sentence. */
  readonly oddities: string[] = [];
  slowestMs = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    const limit = options.answerLimitMs;
    this.#agent = new Agent({ connections: 1_024, headersTimeout: limit, bodyTimeout: limit });
  }

  async send(call: Call): Promise<Outcome> {
    const started = performance.now();
    try {
      return await this.#exchange(call);
    } catch (error) {
      const { code = "", message } = error as NodeJS.ErrnoException;
      if (neverSent.has(code)) return { kind: "refused", status: 0, code };
      if (/TIMEOUT/.test(code) && this.#options.givesUp !== true)
        this.#odd(call, `no answer within ${this.#options.answerLimitMs} ms`);
      return { kind: "unknown", why: code === "" ? message : code };
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
    }
  }

  /** For reading back. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  get(path: string): Promise<any> {
    return this.demand({ method: "GET", path });
  }

  /** For what is no attack: whatever is not a 2xx is an error, after a while also that the service is too busy. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  async demand(call: Call): Promise<any> {
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.send(call);
      if (outcome.kind === "ok") return outcome.body;
      if (outcome.kind !== "refused" || outcome.status !== 503 || tries === busyTriesMax)
        throw new Error(`${call.method} ${call.path} was not done: ${JSON.stringify(outcome)}`);
      await sleep(busyPauseMs);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #exchange(call: Call): Promise<Outcome> {
    const response = await request(this.#options.url() + call.path, {
      dispatcher: this.#agent,
      method: call.method,
      headers: {
        authorization: `Bearer ${this.#options.token}`,
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...(call.key === undefined ? {} : { "idempotency-key": call.key }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    const { statusCode: status, headers } = response;
    const text = await response.body.text();
    if (status === 204) return { kind: "ok", status, body: undefined };
    const body = parse(text);
    if (body === undefined) this.#odd(call, `${status} with a body that is no JSON: ${text}`);
    if (status < 300) return { kind: "ok", status, body };

    const code = String((body as { code?: unknown } | undefined)?.code);
    if (status >= 500 && status !== 503) this.#odd(call, `${status} ${code}: ${text}`);
    if (status === 503 && headers["retry-after"] === undefined)
      this.#odd(call, `503 ${code} without Retry-After`);
    if (status >= 500 && code !== "outcome_unknown" && status !== 503)
      return { kind: "unknown", why: `${status}` };
    return code === "outcome_unknown"
      ? { kind: "unknown", why: code }
      : { kind: "refused", status, code };
  }

  #odd(call: Call, what: string): void {
    this.oddities.push(`${call.method} ${call.path} was answered with ${what}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
