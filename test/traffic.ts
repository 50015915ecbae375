import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { call, type Reply } from "./process.ts";

const readersMax = 16;

/** Sends transfers one after the other on several lanes, and remembers every answer it got. */
export class Traffic {
  readonly accepted = new Set<string>();
  readonly unanswered = new Set<string>();
  readonly unexpected: Reply[] = [];
  url = "";
  #isStopped = false;
  readonly #lanes: Promise<void>[];

  constructor(token: string, lanes: number) {
    this.#lanes = Array.from({ length: lanes }, (_, lane) => this.#run(token, lane));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#lanes);
  }

  /**
   * Every 201 is in the books once; what got no answer happened once or not at all; everything has ended.
   * Returns the references that happened.
   */
  async verify(url: string, token: string): Promise<ReadonlySet<string>> {
    expect(this.unexpected).toEqual([]);
    expect(this.accepted.size).toBeGreaterThan(0);
    const counts = await this.#count(url, token, [...this.accepted, ...this.unanswered]);
    expect([...this.accepted].filter((reference) => counts.get(reference) !== 1)).toEqual([]);
    expect([...this.unanswered].filter((reference) => (counts.get(reference) ?? 0) > 1)).toEqual(
      [],
    );
    await untilNothingIsPending(url, token);
    return new Set([...counts].filter(([, count]) => count === 1).map(([reference]) => reference));
  }

  async #run(token: string, lane: number): Promise<void> {
    for (let count = 0; !this.#isStopped; count += 1) {
      const reference = `lane-${lane}-${count}`;
      const msisdn = count % 5 === 0 ? "2250700000001" : "2250700000000";
      const body = { type: "transfer", amount: 5_000, msisdn, reference };
      try {
        const answer = await call(this.url, token, "/v1/transactions", body);
        if (answer.status === 201) this.accepted.add(reference);
        else if (answer.status === 503) this.unanswered.add(reference);
        else this.unexpected.push(answer);
      } catch {
        this.unanswered.add(reference);
      }
      await sleep(10);
    }
  }

  async #count(
    url: string,
    token: string,
    references: readonly string[],
  ): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const left = [...references];
    const readers = Array.from({ length: readersMax }, async () => {
      for (let reference = left.pop(); reference !== undefined; reference = left.pop()) {
        counts.set(
          reference,
          (await call(url, token, `/v1/transactions?reference=${reference}`)).body.count as number,
        );
      }
    });
    await Promise.all(readers);
    return counts;
  }
}

async function untilNothingIsPending(url: string, token: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await call(url, token, "/v1/transactions?status=pending&limit=1")).body.count === 0)
      return;
    await sleep(100);
  }
  throw new Error("transfers are still pending");
}
