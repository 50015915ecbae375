import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { Call, Client, Outcome } from "./client.ts";
import { answerOf, type Journal, type Sent, type SentCharge } from "./journal.ts";

export interface ShopperOptions {
  readonly client: Client;
  readonly journal: Journal;
  readonly random: Random;
  /** Makes its references different from those of all others. */
  readonly name: string;
  /** Who gets money and who pays. */
  readonly people: readonly string[];
  readonly pauseMs: number;
}

const triesMax = 3;
const openChargesMax = 20;
const chargeAmount = 10_000;
const nobodyPauseMs = 100;

/**
 * A merchant's program as it should be: it sends transfers, batches, charges, payments and refunds, and what
 * got no answer it sends again with the same reference or key, or leaves as it is. It writes down all of it.
 */
export class Shopper {
  readonly #options: ShopperOptions;
  readonly #open: SentCharge[] = [];
  #count = 0;
  #isStopped = false;
  readonly #running: Promise<void>;

  constructor(options: ShopperOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { random, pauseMs } = this.#options;
    while (!this.#isStopped) {
      this.#count += 1;
      const chance = random.next();
      if (chance < 0.4) await this.#transfer(1);
      else if (chance < 0.5) await this.#transfer(random.integer(2, 25));
      else if (chance < 0.65 || this.#open.length === 0) await this.#charge();
      else if (chance < 0.85) await this.#pay(random.pick(this.#open));
      else await this.#refund(random.pick(this.#refundable()));
      await sleep(random.integer(0, 2 * pauseMs));
    }
  }

  async #transfer(size: number): Promise<void> {
    const { random, name, people, journal } = this.#options;
    const rows = Array.from({ length: size }, (_, row) => ({
      type: "transfer",
      reference: `${name}-${this.#count}-${row}`,
      amount: random.integer(5_000, 20_000),
      msisdn: random.pick(people),
      description: `Row ${row}`,
      metadata: { row, clé: "é" },
    }));
    const key = this.#maybeKey();
    const call: Call =
      size === 1
        ? { method: "POST", path: "/v1/transactions", body: rows[0] ?? {}, ...key }
        : { method: "POST", path: "/v1/transactions/batch", body: { transactions: rows }, ...key };
    journal.transfers.push({ rows, ...(await this.#sendSafely(call)) });
  }

  async #charge(): Promise<void> {
    const { name, journal } = this.#options;
    const externalId = `${name}-${this.#count}`;
    const sent = await this.#sendSafely({
      method: "POST",
      path: "/v1/charges",
      body: {
        amount: chargeAmount,
        externalId,
        description: `Order ${this.#count}`,
        onCanceledRedirectionUrl: "https://shop.example/cart",
        onCompletedRedirectionUrl: "https://shop.example/thanks",
      },
      ...this.#maybeKey(),
    });
    const charge = { externalId, amount: chargeAmount, payments: [], refunds: [], ...sent };
    journal.charges.push(charge);
    if (answerOf(sent) === undefined) return;
    this.#open.push(charge);
    if (this.#open.length > openChargesMax) this.#open.shift();
  }

  async #pay(charge: SentCharge): Promise<void> {
    const path = `/v1/charges/${answerOf(charge).id}/pay`;
    const body = { recipientMsisdn: this.#options.random.pick(this.#options.people) };
    charge.payments.push(await this.#sendOnce({ method: "POST", path, body }));
  }

  /** Mostly those known to be paid; now and then any, which may be refused. */
  #refundable(): readonly SentCharge[] {
    const paid = this.#open.filter(({ payments }) =>
      payments.some((payment) => answerOf(payment)?.status === "paid"),
    );
    return paid.length === 0 || this.#options.random.isLikely(0.1) ? this.#open : paid;
  }

  async #refund(charge: SentCharge): Promise<void> {
    const isRest = this.#options.random.isLikely(0.15);
    const amount = isRest ? undefined : 100 + charge.refunds.length;
    const path = `/v1/charges/${answerOf(charge).id}/refund`;
    const body = isRest ? {} : { amount };
    charge.refunds.push({ amount, ...(await this.#sendOnce({ method: "POST", path, body })) });
  }

  /** With a key it may go again; without one it is sent this once, whatever comes of it. */
  #sendOnce(call: Call): Promise<Sent> {
    const key = this.#maybeKey();
    return key.key === undefined ? this.#send(call, 1) : this.#sendSafely({ ...call, ...key });
  }

  /** Half of the callers give up after an unknown answer; the others ask again, in the same words. */
  #sendSafely(call: Call): Promise<Sent> {
    return this.#send(call, this.#options.random.isLikely(0.5) ? 1 : triesMax);
  }

  async #send(call: Call, triesLeft: number): Promise<Sent> {
    const outcomes: Outcome[] = [];
    for (let tries = 0; tries < triesLeft; tries += 1) {
      const outcome = await this.#options.client.send(call);
      outcomes.push(outcome);
      if (isNobodyThere(outcome)) await sleep(nobodyPauseMs);
      if (outcome.kind !== "unknown") break;
      await sleep(this.#options.random.integer(0, 300));
    }
    return { call, outcomes };
  }

  #maybeKey(): { readonly key?: string } {
    const { random, name } = this.#options;
    return random.isLikely(0.5) ? { key: `${name}-key-${this.#count}` } : {};
  }
}

function isNobodyThere(outcome: Outcome): boolean {
  return outcome.kind === "refused" && (outcome.status === 0 || outcome.status === 503);
}
