import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { nextTransfer } from "../requests.ts";

const pollMs = 50;
const stillMs = 200;
const drainLimitMs = 180_000;
const answerLimitMs = 30_000;
const connections = 64;

/** Both programs speak the same interface: everything that has to be known of a contender is asked there. */
export class Account {
  readonly url: string;
  readonly token: string;
  readonly #stopped: AbortSignal;

  constructor(url: string, token: string, stopped: AbortSignal) {
    this.url = url;
    this.token = token;
    this.#stopped = stopped;
  }

  async balance(): Promise<number> {
    return (await this.#ask<{ balance: number }>("/v1/balance")).balance;
  }

  async hasTransfers(status: "pending" | "failed"): Promise<boolean> {
    const list = await this.#ask<{ count: number }>(`/v1/transactions?status=${status}&limit=1`);
    return list.count > 0;
  }

  async subscribe(topic: string, url: string): Promise<void> {
    await this.#ask("/v1/webhooks", { topic, url });
  }

  /** Sends exactly so many transfers, one by one. */
  async send(count: number): Promise<void> {
    const pool = new Pool(this.url, { connections });
    let left = count;
    const sendInTurn = async () => {
      while (left > 0) {
        left -= 1;
        const { statusCode, body } = await pool.request({
          path: "/v1/transactions",
          method: "POST",
          headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
          body: JSON.stringify(nextTransfer()),
          signal: this.#stopped,
        });
        const text = await body.text();
        // A machine that is slower than the backlog is sent sheds load: what was not accepted is sent again.
        if (statusCode === 503) left += 1;
        else if (statusCode !== 201)
          throw new Error(`a transfer was answered ${statusCode}: ${text}`);
      }
    };
    try {
      await Promise.all(Array.from({ length: connections }, sendInTurn));
    } finally {
      await pool.destroy();
    }
  }

  /**
   * Waits until every transfer has ended, and returns the moment at which none was pending any more. What
   * was under way when a load ended is still accepted, so it has to stay that way for a while.
   */
  async untilSettled(): Promise<number> {
    const deadline = performance.now() + drainLimitMs;
    let rest: { readonly since: number; readonly balance: number } | undefined;
    while (performance.now() < deadline) {
      const now = performance.now();
      if (await this.hasTransfers("pending")) rest = undefined;
      else {
        const balance = await this.balance();
        if (rest?.balance !== balance) rest = { since: now, balance };
        else if (now - rest.since >= stillMs) return rest.since;
      }
      await sleep(pollMs, undefined, { signal: this.#stopped });
    }
    throw new Error("transfers are still pending long after the last one was accepted");
  }

  /** Waits until nothing more is accepted: the balance rests. */
  async untilStill(): Promise<void> {
    const deadline = performance.now() + drainLimitMs;
    for (let before = Number.NaN; performance.now() < deadline; ) {
      const now = await this.balance();
      if (now === before) return;
      before = now;
      await sleep(stillMs, undefined, { signal: this.#stopped });
    }
    throw new Error("transfers are still accepted long after the load has ended");
  }

  async #ask<Answer>(path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.url + path, {
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      signal: AbortSignal.any([this.#stopped, AbortSignal.timeout(answerLimitMs)]),
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  }
}
