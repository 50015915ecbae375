import { type KeyObject, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database, Tx } from "../database/database.ts";
import type { EgressClient } from "../egress/client.ts";
import type { Clock } from "../kernel/clock.ts";
import { groupBy } from "../kernel/group-by.ts";
import type { Counter, Histogram } from "../kernel/metrics.ts";
import { attemptDelivery } from "./attempt.ts";
import { AttemptRecorder } from "./attempt-recorder.ts";
import { fanOut, returnDeliveries, selectNextDueMs, takeDeliveries } from "./deliveries-store.ts";
import { EndpointQueue, type Held, roomMin } from "./endpoint-queue.ts";

/** Where `publish_events` marks companies that have something to tell. */
export const webhookQueue = "webhooks";
/** Where nodes tell each other the id of a webhook that was deleted. */
export const webhookDeletedChannel = "webhook_deleted";

export interface DispatcherOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly client: EgressClient;
  readonly brand: string;
  /** The secrets a company's notifications are signed with, newest first. */
  readonly secretsOf: (companyId: string) => Promise<readonly KeyObject[]>;
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
const busyPauseMinMs = 20;
const busyPauseMaxMs = 1_000;
/** A full queue that drains within this long is one of a busy receiver; a longer wait is one of a slow receiver. */
const quickWaitMs = 1_000;
const stopPollMs = 20;
const backlogMax = 2_000;
const companiesMax = 1_000;
const stopPatienceMs = 3_000;

/**
 * Sends what is due. A company's turn is short: turn its new events into deliveries, take what its
 * endpoints have room for, go on to the next company. Sending and writing down happen beside that, per
 * endpoint, so a slow endpoint fills its own few places and nothing else.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #recorder: AttemptRecorder;
  /** What this node holds, by company and endpoint. */
  readonly #queues = new Map<string, Map<string, EndpointQueue>>();
  #isStopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#recorder = new AttemptRecorder(options.database, options.logger);
  }

  /** One company's turn. */
  async work(companyId: string): Promise<void> {
    const { database } = this.#options;
    await fanOut(database, companyId, fanOutMax, firstAttemptDelayMs);
    if (this.#isStopped) return;
    const claimId = randomUUID();
    const taken = await takeDeliveries(
      database,
      companyId,
      claimId,
      roomMin,
      this.#rooms(companyId),
    );
    const takenAtMs = performance.now();
    const queues = this.#queuesOf(companyId);
    for (const delivery of taken) {
      const queue =
        queues.get(delivery.endpoint_id) ?? new EndpointQueue(this.#options.inFlightPerEndpoint);
      queues.set(delivery.endpoint_id, queue);
      queue.add({ companyId, claimId, takenAtMs, delivery });
      this.#pump(queue);
    }
    this.#forgetIdle();
  }

  /**
   * When the company should have its next turn. An endpoint whose queue is full is looked after when it has
   * room for a set that is worth a turn; the others do not wait for it.
   */
  nextDueMs(tx: Tx, companyId: string): Promise<number | undefined> {
    const nowMs = performance.now();
    const queues = this.#queuesOf(companyId);
    const full = [...queues].filter(([, queue]) => queue.room === 0);
    const waits = full.map(([, queue]) => queue.waitMs(nowMs));
    const pauses = new Map(full.map(([id], place) => [id, pauseFor(waits[place] ?? 0)]));
    // New events are for all endpoints: they wait for a busy one, and for a slow one only if there is no other.
    const quick = waits.filter((waitMs) => waitMs < quickWaitMs);
    const isFull = full.length > 0 && full.length === queues.size;
    const eventsPauseMs = quick.length > 0 || isFull ? pauseFor(Math.min(...waits)) : 0;
    return selectNextDueMs(tx, companyId, pauses, eventsPauseMs);
  }

  /** Lets what is in flight end, writes it down, and gives back what was not sent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const queues = this.#allQueues();
    const held = queues.flatMap((queue) => queue.clear());
    await this.#giveBack(held);
    const deadline = performance.now() + stopPatienceMs;
    while (queues.some((queue) => !queue.isIdle) && performance.now() < deadline) {
      await sleep(stopPollMs);
    }
    await this.#recorder.drain();
  }

  #rooms(companyId: string): Map<string, number> {
    return new Map([...this.#queuesOf(companyId)].map(([id, queue]) => [id, queue.room]));
  }

  #queuesOf(companyId: string): Map<string, EndpointQueue> {
    const queues = this.#queues.get(companyId) ?? new Map<string, EndpointQueue>();
    this.#queues.set(companyId, queues);
    return queues;
  }

  #allQueues(): EndpointQueue[] {
    return [...this.#queues.values()].flatMap((queues) => [...queues.values()]);
  }

  /** A fast endpoint's room is worth remembering for a while; those of very many companies are not. */
  #forgetIdle(): void {
    if (this.#queues.size <= companiesMax) return;
    for (const [companyId, queues] of this.#queues) {
      if ([...queues.values()].every((queue) => queue.isIdle)) this.#queues.delete(companyId);
    }
  }

  #pump(queue: EndpointQueue): void {
    const stale = queue.dropStale(performance.now());
    if (stale.length > 0) void this.#giveBack(stale);
    for (
      let held = queue.next(performance.now());
      held !== undefined;
      held = queue.next(performance.now())
    ) {
      void this.#sendOne(queue, held);
    }
  }

  async #sendOne(queue: EndpointQueue, held: Held): Promise<void> {
    const handedBack = queue.done(await this.#send(held));
    if (handedBack.length > 0) void this.#giveBack(handedBack);
    if (!this.#isStopped) this.#pump(queue);
  }

  /** A webhook was deleted or disabled: what waits for it here is not sent any more. */
  forget(webhookId: string): void {
    for (const queue of this.#allQueues()) queue.forget(webhookId);
  }

  /** True when the receiver acknowledged it. */
  async #send({ companyId, claimId, delivery }: Held): Promise<boolean> {
    const { client, clock, brand, secretsOf, outcomes, seconds } = this.#options;
    try {
      const outcome = await attemptDelivery(client, clock, brand, secretsOf, companyId, delivery);
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

/** Until a quarter of a queue is sent. */
function pauseFor(waitMs: number): number {
  return Math.min(busyPauseMaxMs, Math.max(busyPauseMinMs, waitMs / 4));
}
