import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../traffic/client.ts";
import type { Shop } from "../traffic/shop.ts";

const everyMs = 25;

/** Sends one transfer after the other, quickly, to tell how long nobody could write. All are in the shop's journal. */
export class Pulse {
  readonly #shop: Shop;
  readonly #client: Client;
  readonly #name: string;
  readonly #running: Promise<void>;
  readonly #writtenMs: number[] = [];
  #isStopped = false;
  #count = 0;

  /** By default it asks whom the shop asks; another name tells its references apart. */
  constructor(shop: Shop, name = "pulse", client: Client = shop.client) {
    this.#shop = shop;
    this.#name = name;
    this.#client = client;
    this.#running = this.#run();
  }

  /** The longest pause between two successes since then. */
  gapMs(sinceMs: number): number {
    return longestPause(this.#writtenMs, sinceMs);
  }

  /** The longest pause between two notifications since then. */
  silenceMs(sinceMs: number): number {
    return longestPause(
      this.#shop.receiver.received.map(({ atMs }) => atMs),
      sinceMs,
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { journal } = this.#shop;
    while (!this.#isStopped) {
      this.#count += 1;
      const row = {
        reference: `${this.#name}-${this.#count}`,
        amount: 5_000,
        msisdn: "2250700000000",
      };
      const body = { type: "transfer", ...row };
      const call = { method: "POST", path: "/v1/transactions", body } as const;
      const outcome = await this.#client.send(call);
      journal.transfers.push({ rows: [row], call, outcomes: [outcome] });
      if (outcome.kind === "ok") this.#writtenMs.push(Date.now());
      await sleep(everyMs);
    }
  }
}

function longestPause(timesMs: readonly number[], sinceMs: number): number {
  let before = sinceMs;
  let longest = 0;
  for (const atMs of timesMs) {
    if (atMs < sinceMs) continue;
    longest = Math.max(longest, atMs - before);
    before = atMs;
  }
  return Math.max(longest, Date.now() - before);
}
