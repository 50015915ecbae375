import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database, Tx } from "../database/database.ts";
import { groupBy } from "../kernel/group-by.ts";
import { newUuid } from "../kernel/ids.ts";
import type { Counter, Histogram } from "../kernel/metrics.ts";
import { attemptDelivery } from "./attempt.ts";
import { AttemptRecorder } from "./attempt-recorder.ts";
import { fanOut, returnDeliveries, selectNextDueMs, takeDeliveries } from "./deliveries-store.ts";
import type { EgressClient } from "./egress.ts";
import { EndpointQueue, type Held, roomMin } from "./endpoint-queue.ts";

export interface DispatcherOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly client: EgressClient;
  readonly brand: string;
  /** The secrets a company's notifications are signed with, newest first. */
  readonly secretsOf: (companyId: string) => Promise<readonly string[]>;
  readonly inFlightPerEndpoint: number;
  /** Called when an outcome is on disk: somebody behind it may be free to go. */
  readonly onRecorded: () => void;
  /** Deliveries by outcome, and how long their attempts took. */
  readonly outcomes: Counter;
  readonly seconds: Histogram;
}

/** After the event can be seen by us it was committed; a caller gets this long to read its own answer. */
const firstAttemptDelayMs = 120;
const fanOutMax = 500;
const fanOutRoundsMax = 4;
const busyPauseMs = 20;
const backlogMax = 2_000;
const queuesMax = 10_000;
const stopPatienceMs = 3_000;

/**
 * Sends what is due. A company's turn is short: turn its new events into deliveries, take what its
 * endpoints have room for, go on to the next company. Sending and writing down happen beside that, per
 * endpoint, so a slow endpoint fills its own few places and nothing else.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #recorder: AttemptRecorder;
  readonly #queues = new Map<string, EndpointQueue>();
  #isStopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#recorder = new AttemptRecorder(options.database, options.logger);
  }

  /** One company's turn. */
  async work(companyId: string): Promise<void> {
    const { database } = this.#options;
    for (let round = 0; round < fanOutRoundsMax; round += 1) {
      if (!(await fanOut(database, companyId, fanOutMax, firstAttemptDelayMs))) break;
    }
    if (this.#isStopped) return;
    const claimId = newUuid(Date.now());
    const taken = await takeDeliveries(
      database,
      companyId,
      claimId,
      roomMin,
      this.#rooms(companyId),
    );
    const takenAtMs = performance.now();
    for (const delivery of taken) {
      const key = `${companyId}/${delivery.endpoint_id}`;
      const queue = this.#queues.get(key) ?? new EndpointQueue(this.#options.inFlightPerEndpoint);
      this.#queues.set(key, queue);
      queue.add({ companyId, claimId, takenAtMs, delivery });
      this.#pump(key, queue);
    }
  }

  /** When the company should have its next turn. Due now but nowhere to put it: after a short pause. */
  async nextDueMs(tx: Tx, companyId: string): Promise<number | undefined> {
    const dueMs = await selectNextDueMs(tx, companyId);
    return dueMs === undefined ? undefined : Math.max(busyPauseMs, dueMs);
  }

  /** Lets what is in flight end, writes it down, and gives back what was not sent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const held = [...this.#queues.values()].flatMap((queue) => queue.clear());
    await this.#giveBack(held);
    const deadline = performance.now() + stopPatienceMs;
    while (
      [...this.#queues.values()].some((queue) => !queue.isIdle) &&
      performance.now() < deadline
    ) {
      await sleep(busyPauseMs);
    }
    await this.#recorder.drain();
  }

  #rooms(companyId: string): Map<string, number> {
    const rooms = new Map<string, number>();
    for (const [key, queue] of this.#queues) {
      const [company, endpointId] = key.split("/");
      if (company === companyId && endpointId !== undefined) rooms.set(endpointId, queue.room);
    }
    return rooms;
  }

  #pump(key: string, queue: EndpointQueue): void {
    const stale = queue.dropStale(performance.now());
    if (stale.length > 0) void this.#giveBack(stale);
    for (
      let held = queue.next(performance.now());
      held !== undefined;
      held = queue.next(performance.now())
    ) {
      void this.#sendOne(key, queue, held);
    }
  }

  async #sendOne(key: string, queue: EndpointQueue, held: Held): Promise<void> {
    const handedBack = queue.done(await this.#send(held));
    if (handedBack.length > 0) void this.#giveBack(handedBack);
    if (this.#isStopped) return;
    this.#pump(key, queue);
    // A fast endpoint's room is worth remembering for a while, a forgotten one's is not.
    if (this.#queues.size > queuesMax && queue.isIdle) this.#queues.delete(key);
  }

  /** A webhook was deleted or disabled: what waits for it here is not sent any more. */
  forget(webhookId: string): void {
    for (const queue of this.#queues.values()) queue.forget(webhookId);
  }

  /** True when the receiver acknowledged it. */
  async #send({ companyId, claimId, delivery }: Held): Promise<boolean> {
    const { client, brand, secretsOf, outcomes, seconds } = this.#options;
    try {
      const outcome = await attemptDelivery(client, brand, () => secretsOf(companyId), delivery);
      outcomes.add({ outcome: outcome.outcome });
      seconds.observe(outcome.durationMs / 1_000);
      const recorded = this.#recorder
        .record(companyId, claimId, outcome)
        .then(this.#options.onRecorded, this.#leftForAnotherTry);
      // The endpoint's place is free once it has answered, unless writing down falls behind.
      if (this.#recorder.backlog > backlogMax) await recorded;
      if (outcome.outcome === "gone") this.forget(delivery.webhook_id);
      return outcome.outcome === "delivered";
    } catch (error) {
      this.#leftForAnotherTry(error);
      return false;
    }
  }

  /** Not sent or not written down: the claim runs out and it is sent again, under the same webhook-id. */
  readonly #leftForAnotherTry = (error: unknown): void => {
    this.#options.logger.warn({ err: error }, "a delivery was left for another try");
  };

  async #giveBack(held: readonly Held[]): Promise<void> {
    const claims = groupBy(held, ({ companyId, claimId }) => `${companyId}/${claimId}`);
    for (const [key, group] of claims) {
      const [companyId = "", claimId = ""] = key.split("/");
      const deliveries = group.map(({ delivery }) => delivery);
      await returnDeliveries(this.#options.database, companyId, claimId, deliveries).catch(
        () => {},
      );
    }
  }
}
