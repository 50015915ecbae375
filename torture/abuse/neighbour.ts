import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../api/client.ts";

const paceMs = 25;

export interface Wellbeing {
  readonly requests: number;
  readonly p99Ms: number;
  /** Requests that were not answered as they would be on a quiet day, each as one sentence. */
  readonly lost: readonly string[];
}

/** Another company that goes about its business meanwhile, at its own pace whether answers come or not. */
export class Neighbour {
  readonly #url: string;
  readonly #token: string;
  readonly #name: string;
  readonly #stopping = new AbortController();
  readonly #times: number[] = [];
  readonly #lost: string[] = [];
  readonly #working: Promise<void>;

  /** `name` begins its references, which are never used again. */
  constructor(url: string, token: string, name: string) {
    this.#url = url;
    this.#token = token;
    this.#name = name;
    this.#working = this.#work();
  }

  async stop(): Promise<Wellbeing> {
    this.#stopping.abort();
    await this.#working;
    const sorted = this.#times.toSorted((a, b) => a - b);
    return {
      requests: sorted.length,
      p99Ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
      lost: this.#lost,
    };
  }

  async #work(): Promise<void> {
    const underWay: Promise<void>[] = [];
    for (let count = 0; !this.#stopping.signal.aborted; count += 1) {
      underWay.push(this.#ask(count));
      await sleep(paceMs);
    }
    await Promise.all(underWay);
  }

  async #ask(count: number): Promise<void> {
    const [method, path] = requests[count % requests.length] ?? requests[0];
    const body = {
      type: "transfer",
      amount: 5_000,
      msisdn: "2250700000000",
      reference: `${this.#name}-${count}`,
    };
    const started = performance.now();
    try {
      const reply = await ask(this.#url, method, path, {
        token: this.#token,
        ...(method === "POST" ? { body } : {}),
      });
      if (reply.status >= 300) this.#lost.push(`${method} ${path}: ${reply.status} ${reply.text}`);
    } catch (error) {
      this.#lost.push(`${method} ${path}: ${String(error)}`);
    }
    this.#times.push(performance.now() - started);
  }
}

const requests = [
  ["POST", "/v1/transactions"],
  ["GET", "/v1/balance"],
  ["POST", "/v1/transactions"],
  ["GET", "/v1/transactions?limit=10"],
] as const;
