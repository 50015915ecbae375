import { setTimeout as sleep } from "node:timers/promises";

const callers = 16;
/** A commit that waits for a standby which is gone is answered when the service gives it up. */
const answerLimitMs = 60_000;
const pauseAfterRefusalMs = 50;
const pollMs = 10;

/** Callers that send transfers one after the other, and remember which of them were acknowledged. */
export class Load {
  readonly acknowledged: string[] = [];
  /** What was answered first when a transfer was not acknowledged. */
  refusal = "";
  readonly #url: string;
  readonly #token: string;
  readonly #name: string;
  readonly #callers: Promise<void>[];
  #isOver = false;
  #sent = 0;

  constructor(url: string, token: string, name: string) {
    this.#url = url;
    this.#token = token;
    this.#name = name;
    this.#callers = Array.from({ length: callers }, () => this.#call());
  }

  /** Until so many were acknowledged, or nobody can expect it any more. */
  async reach(count: number): Promise<void> {
    const deadline = performance.now() + answerLimitMs;
    while (this.acknowledged.length < count && performance.now() < deadline) await sleep(pollMs);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
  }

  async #call(): Promise<void> {
    while (!this.#isOver) {
      this.#sent += 1;
      const reference = `${this.#name}-${this.#sent}`;
      if (await this.#pay(reference)) this.acknowledged.push(reference);
      else await sleep(pauseAfterRefusalMs);
    }
  }

  async #pay(reference: string): Promise<boolean> {
    const msisdn = `22507${String(10_000_000 + (this.#sent % 1_000))}`;
    try {
      const response = await fetch(`${this.#url}/v1/transactions`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${this.#token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ type: "transfer", amount: 5_000, msisdn, reference }),
        signal: AbortSignal.timeout(answerLimitMs),
      });
      const text = await response.text();
      if (response.status === 201) return true;
      this.refusal ||= `${response.status} ${text}`;
      return false;
    } catch (error) {
      this.refusal ||= String(error);
      return false;
    }
  }
}
