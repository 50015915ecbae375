import { randomUUID } from "node:crypto";
import { DatabaseUnavailable } from "../database/errors.ts";
import { AddressTests } from "./address-tests.ts";
import { attemptDelivery } from "./attempt.ts";
import { AttemptRecorder } from "./attempt-recorder.ts";
import { firstAttemptDelayMs } from "./delivery-policy.ts";
import {
  claimEvents,
  type HandedOut,
  type Recordable,
  type StandingRow,
  selectStanding,
  setDue,
  takeDeliveries,
} from "./dispatch-store.ts";
import { EndpointQueue } from "./endpoint-queue.ts";
import { CannotSign } from "./errors.ts";
import { FirstSeen } from "./first-seen.ts";
import { type Claim, type Held, type Listener, type Outcome, unsent } from "./held.ts";
import { holdDeliveries, toListener } from "./hold-deliveries.ts";
import type { OutboxOptions } from "./outbox-options.ts";
import { endpointsOf, type Plan, planTurn, type Turn } from "./plan-turn.ts";

/** What cannot be made or signed now is tried again after a while. */
const troubleDelayMs = 60_000;
const backlogMax = 2_000;
const fullPauseMinMs = 20;
const fullPauseMaxMs = 1_000;
/** Nothing is sent to a webhook that was not looked at for so long: it may be deleted or disabled, and the news lost. */
const knownForMs = 1_000;

/**
 * What this node has in hand of one company. A turn is short: take what is due, take new events, put them into the queues
 * of their endpoints. Sending and writing down happen beside that, per endpoint, so a slow endpoint fills its own few
 * places and nothing else.
 *
 * At most one statement about the company's deliveries is under way at a time. So what a turn brings is put behind what
 * it has to wait for before any of that can be written down.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #companyId: string;
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #recorder: AttemptRecorder;
  readonly #tests: AddressTests;
  readonly #firstSeen = new FirstSeen();
  #listeners: ReadonlyMap<string, Listener> = new Map();
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /** The end of the last statement about the company's deliveries. */
  #last: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  /** Claims on events of which something is not on disk yet. */
  readonly #claims = new Set<string>();
  /** Events may be claimed that are not in hand, so that the next turn gives their claim up: see claim_events. */
  #mayHaveLost = false;
  #hasMore = false;
  #isStopped = false;

  constructor(options: OutboxOptions, companyId: string) {
    this.#options = options;
    this.#companyId = companyId;
    const shared = {
      database: options.database,
      logger: options.logger,
      companyId,
      exclusively: <Result>(work: () => Promise<Result>) => this.#exclusively(work),
    };
    const onOver = () => options.onMore(companyId);
    this.#tests = new AddressTests({ ...shared, sender: options, onOver });
    this.#recorder = new AttemptRecorder({
      ...shared,
      onWritten: (written, isDue) => this.#onWritten(written, isDue),
    });
  }

  get isIdle(): boolean {
    const isQuiet = this.#underWay === 0 && this.#recorder.isIdle && this.#tests.isIdle;
    return isQuiet && [...this.#queues.values()].every((queue) => queue.isIdle);
  }

  /** It needs another turn soon. */
  get mustLook(): boolean {
    return this.#mayHaveLost;
  }

  turn(): Promise<Turn> {
    return this.#exclusively(() => this.#turn());
  }

  /** Webhooks were deleted or disabled: what waits for them here is not sent any more. */
  forget(isGone: (webhookId: string) => boolean): void {
    for (const queue of this.#queues.values())
      this.#giveBack(queue.takeOut(({ listener }) => isGone(listener.webhookId)));
  }

  /** Sends nothing more, and gives back what waits. */
  close(): void {
    this.#isStopped = true;
    for (const queue of this.#queues.values()) this.#giveBack(queue.clear());
  }

  get isSending(): boolean {
    return this.#tests.isSending || [...this.#queues.values()].some((queue) => queue.isSending);
  }

  drain(): Promise<void> {
    return this.#recorder.drain();
  }

  giveUp(): void {
    this.#recorder.giveUp();
  }

  async #turn(): Promise<Turn> {
    const rows = await this.#look();
    const [first] = rows;
    const enabled = rows.filter((row) => row.is_enabled);
    if (first === undefined || (enabled.length === 0 && !first.is_due && !first.has_lost))
      return { dueMs: undefined, isSilent: true };
    this.#firstSeen.note(first.last_event, first.newest_event, performance.now());
    await this.#checkSecrets();
    if (this.#isStopped) return { dueMs: undefined, isSilent: false };

    if (rows.some((row) => row.is_untested)) await this.#tests.start();
    const writtenDueMs = first.is_due ? await this.#takeWritten() : undefined;
    const waiting = enabled.length === 0 ? 0 : first.newest_event - first.last_event;
    const endpoints = endpointsOf(enabled, (endpointId) => this.#tests.has(endpointId));
    const plan = planTurn(endpoints, this.#queues, waiting, performance.now());
    if (plan.limit > 0 || first.has_lost) await this.#takeEvents(first, plan);
    this.#hasMore = waiting > plan.limit;
    // The end of a test brings the next turn.
    const fullPauseMs = this.#tests.isIdle ? fullPauseMinMs : Number.POSITIVE_INFINITY;
    const pauseMs = plan.limit === 0 ? fullPauseMs : 0;
    const eventsDueMs = this.#hasMore ? pauseMs : Number.POSITIVE_INFINITY;
    const dueMs = Math.min(writtenDueMs ?? Number.POSITIVE_INFINITY, eventsDueMs);
    return { dueMs: Number.isFinite(dueMs) ? dueMs : undefined, isSilent: false };
  }

  /** Nothing is taken that could not be signed. */
  async #checkSecrets(): Promise<void> {
    await this.#options.secretsOf(this.#companyId).catch((error: unknown) => {
      throw error instanceof DatabaseUnavailable ? error : new CannotSign({ cause: error });
    });
  }

  /** Also takes out what waits here for webhooks that are no longer in service, and lets the rest go. */
  async #look(): Promise<StandingRow[]> {
    const lookedAtMs = performance.now();
    const rows = await selectStanding(this.#options.database, this.#companyId, {
      nodeId: this.#options.nodeId,
      held: [...this.#claims],
    });
    this.#listeners = new Map(rows.map((row) => [row.webhook_id, toListener(row)]));
    this.#lookedAtMs = lookedAtMs;
    const inService = new Set(rows.flatMap((row) => (row.is_enabled ? [row.webhook_id] : [])));
    this.forget((id) => !inService.has(id));
    this.#pumpAll();
    return rows;
  }

  /** Answers in how many milliseconds more of what is written down is due. */
  async #takeWritten(): Promise<number | undefined> {
    const { database, clock } = this.#options;
    const rooms = new Map([...this.#queues].map(([id, queue]) => [id, queue.room]));
    const id = randomUUID();
    const rows = await takeDeliveries(database, this.#companyId, id, rooms);
    const takenAtMs = performance.now();
    const claim = { id, isWritten: true, claimedAt: clock(), takenAtMs, dueAtMs: takenAtMs };
    await this.#hold(claim, rows);

    // An endpoint whose queue is full is looked after when it has room for a set that is worth a turn.
    const full = [...this.#queues].filter(([, queue]) => queue.room === 0);
    const pauses = full.map(([endpointId, queue]): [string, number] => [
      endpointId,
      Math.min(fullPauseMaxMs, Math.max(fullPauseMinMs, queue.waitMs(takenAtMs) / 4)),
    ]);
    return setDue(database, this.#companyId, new Map(pauses));
  }

  async #takeEvents(
    { last_event: after, newest_event: newest }: StandingRow,
    { direct, limit }: Plan,
  ): Promise<void> {
    const { database, nodeId, clock } = this.#options;
    const claim = { id: randomUUID(), isWritten: false, claimedAt: clock() };
    const seenAtMs = this.#firstSeen.atMsOf(after + limit);
    const delayMs = (seenAtMs ?? performance.now()) + firstAttemptDelayMs - performance.now();
    this.#mayHaveLost = true;
    const rows = await claimEvents(database, this.#companyId, {
      nodeId,
      claimId: claim.id,
      held: [...this.#claims],
      direct,
      limit,
      now: claim.claimedAt,
      delayMs: Math.max(0, delayMs),
    });
    const takenAtMs = performance.now();
    // Another node may have been faster, so that this one got newer events than it had seen.
    const isSeen = (rows.at(-1)?.event_number ?? 0) <= newest;
    const firstSeenMs = (isSeen ? seenAtMs : undefined) ?? takenAtMs;
    const dueAtMs = Math.max(takenAtMs, firstSeenMs + firstAttemptDelayMs);
    this.#mayHaveLost = !(await this.#hold({ ...claim, takenAtMs, dueAtMs }, rows));
  }

  /**
   * Puts what was handed out into the queues. False: what to tell could not be made. Then events are not held, and the
   * next turn writes them down before it takes later ones of the same objects.
   */
  async #hold(claim: Omit<Claim, "left">, rows: readonly HandedOut[]): Promise<boolean> {
    if (rows.length === 0) return true;
    // A webhook may have been registered since the look.
    if (rows.some((row) => !this.#listeners.has(row.webhook_id))) await this.#look();
    const handout = { companyId: this.#companyId, claim, rows, listeners: this.#listeners };
    const { held, isReady } = await holdDeliveries(this.#options, handout);
    if (!claim.isWritten && !isReady) return false;
    if (!claim.isWritten && held.length > 0) this.#claims.add(claim.id);
    for (const one of held) {
      const isTaken = isReady && !this.#isStopped && this.#queueOf(one).add(one);
      if (!isTaken) this.#giveBack([one], isReady ? 0 : troubleDelayMs);
    }
    this.#pumpFrom(claim.dueAtMs);
    return true;
  }

  /** Timers may go off a little early: then another one follows. */
  #pumpFrom(dueAtMs: number): void {
    const waitMs = dueAtMs - performance.now();
    if (waitMs > 0) setTimeout(() => this.#pumpFrom(dueAtMs), Math.ceil(waitMs)).unref();
    else this.#pumpAll();
  }

  #queueOf({ listener: { endpointId } }: Held): EndpointQueue {
    const known = this.#queues.get(endpointId);
    if (known !== undefined) return known;
    const queue = new EndpointQueue(this.#options.inFlightPerEndpoint);
    this.#queues.set(endpointId, queue);
    return queue;
  }

  #pumpAll(): void {
    for (const queue of this.#queues.values()) this.#pump(queue);
  }

  #pump(queue: EndpointQueue): void {
    if (this.#isStopped) return;
    const nowMs = performance.now();
    this.#giveBack(queue.dropStale(nowMs));
    if (!queue.isReady(nowMs)) return;
    if (nowMs - this.#lookedAtMs > knownForMs) return this.#options.onMore(this.#companyId);
    for (let held = queue.next(nowMs); held !== undefined; held = queue.next(nowMs))
      void this.#send(queue, held);
  }

  async #send(queue: EndpointQueue, held: Held): Promise<void> {
    const { logger, outcomes, seconds } = this.#options;
    let outcome: Outcome;
    try {
      outcome = await attemptDelivery(this.#options, held);
      outcomes.add({ outcome: outcome.kind });
      seconds.observe(outcome.durationMs / 1_000);
    } catch (error) {
      logger.warn({ err: error, companyId: this.#companyId }, "a delivery was left for later");
      outcome = unsent(troubleDelayMs);
    }
    const behind = queue.done(held, outcome.kind === "delivered");
    this.#recorder.record({ held, outcome });
    this.#giveBack(behind);
    if (outcome.kind === "gone") this.forget((id) => id === held.listener.webhookId);
    // The endpoint's place is free once it has answered, unless writing down falls behind.
    if (this.#recorder.backlog < backlogMax) this.#pump(queue);
  }

  #giveBack(held: readonly Held[], delayMs = 0): void {
    for (const one of held) this.#recorder.record({ held: one, outcome: unsent(delayMs) });
  }

  #onWritten(written: readonly Recordable[], isDue: boolean): void {
    for (const { held } of written) {
      this.#queues.get(held.listener.endpointId)?.written(held);
      if (held.claim.left === 0) this.#claims.delete(held.claim.id);
    }
    // What waited behind it is not sent any more either.
    if (this.#isStopped) return this.close();
    this.#pumpAll();
    if (isDue || this.#hasMore) this.#options.onMore(this.#companyId);
  }

  async #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    try {
      return await result;
    } finally {
      this.#underWay -= 1;
    }
  }
}
