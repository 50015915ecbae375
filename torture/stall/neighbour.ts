import { setTimeout as sleep } from "node:timers/promises";
import { addCustomer } from "../../src/customers/keep-book.ts";
import { closeParty, openParty, type Party, type Scene } from "./scene.ts";

const pauseMs = 50;
const pollMs = 20;

/**
 * A company beside the stalled one, with a recipient of its own. It sends one transfer after the other, to both
 * services in turn, and waits for the end of each.
 */
export class Neighbour {
  readonly party: Party;
  readonly #msisdn: string;
  #count = 0;
  #isStopped = false;
  #sinceMs = performance.now();
  #waitsMs: number[] = [];
  #running: Promise<void> | undefined;

  private constructor(party: Party, msisdn: string) {
    this.party = party;
    this.#msisdn = msisdn;
  }

  static async open(scene: Scene, msisdn: string): Promise<Neighbour> {
    const person = { msisdn, firstName: "Awa", lastName: "Diop", balanceMax: 100_000_000_000 };
    await addCustomer(scene.place.database, { ...person, kycStatus: "complete" });
    return new Neighbour(await openParty(scene, "Neighbour"), msisdn);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Transfers that have ended. */
  get ended(): number {
    return this.#count;
  }

  /** What it took from the first try to the end of each transfer since this was last asked, the present one included. */
  takeWaitsMs(): readonly number[] {
    const waitsMs = [...this.#waitsMs, performance.now() - this.#sinceMs];
    this.#waitsMs = [];
    return waitsMs;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async close(): Promise<void> {
    await this.stop();
    await closeParty(this.party);
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#sinceMs = performance.now();
      if (await this.#sendAndWait()) this.#count += 1;
      this.#waitsMs.push(performance.now() - this.#sinceMs);
      await sleep(pauseMs);
    }
  }

  async #sendAndWait(): Promise<boolean> {
    const client = this.party.clients[this.#count % 2 === 0 ? 0 : 1];
    const key = `neighbour ${this.#count}`;
    const body = { type: "transfer", reference: key, amount: 5_000, msisdn: this.#msisdn };
    const call = { method: "POST", path: "/v1/transactions", body, key } as const;
    let answer = await client.send(call);
    while (answer.kind !== "ok" && !this.#isStopped) {
      await sleep(pauseMs);
      answer = await client.send(call);
    }
    if (answer.kind !== "ok") return false;
    for (;;) {
      const now = await client.send({ method: "GET", path: `/v1/transactions/${answer.body.id}` });
      if (now.kind === "ok" && now.body.status !== "pending") return true;
      if (this.#isStopped) return false;
      await sleep(pollMs);
    }
  }
}
