import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { selectBehind, selectDueCompanies } from "./dispatch-store.ts";
import { CannotSign } from "./errors.ts";
import { Outbox } from "./outbox.ts";
import type { OutboxOptions } from "./outbox-options.ts";

/** What hints about something to tell are called. */
export const webhookQueue = "webhooks";
/** Where nodes tell each other the id of a webhook that was deleted. */
export const webhookDeletedChannel = "webhook_deleted";

export type DispatcherOptions = Omit<OutboxOptions, "nodeId">;

/** Companies that are looked at in one go for events that nobody has taken. */
const sweepSize = 1_000;
/** A company where nobody listens is not looked at again for so long, however many hints there are. */
const silenceMs = 200;
/** A company whose notifications cannot be signed is left alone for so long. */
const cannotSignPauseMs = 60_000;
const outboxesMax = 1_000;
const silentMax = 10_000;
const stopPatienceMs = 3_000;

/**
 * Tells receivers what happened: gives each company its turns, on any number of nodes side by side. No company is leased.
 * What a node takes to tell is claimed in the database, in the transaction that hands it out, so two nodes that look
 * after the same company take different things.
 */
export class Dispatcher {
  readonly #options: OutboxOptions;
  readonly #outboxes = new Map<string, Outbox>();
  /** Companies that are left alone, and until when. */
  readonly #silent = new Map<string, number>();
  #sweptTo: string | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = { ...options, nodeId: randomUUID() };
  }

  /**
   * Companies that have something to tell. What is due is found by an index. New events are found company by company, a
   * part of them each time: they come with a hint, and this is for hints that got lost.
   */
  async find(limit: number): Promise<readonly string[]> {
    const { database } = this.#options;
    const due = await selectDueCompanies(database, limit);
    const behind = await selectBehind(database, this.#sweptTo, sweepSize);
    this.#sweptTo = behind.next;
    const mustLook = [...this.#outboxes].flatMap(([id, outbox]) => (outbox.mustLook ? [id] : []));
    return [...new Set([...due, ...behind.companyIds, ...mustLook])];
  }

  /** One company's turn. */
  async work(companyId: string): Promise<number | undefined> {
    const silentMs = (this.#silent.get(companyId) ?? 0) - performance.now();
    if (silentMs > 0) return silentMs;
    const outbox = this.#outboxOf(companyId);
    try {
      const { dueMs, isSilent } = await outbox.turn();
      if (isSilent) this.#leaveAlone(companyId, silenceMs);
      return dueMs;
    } catch (error) {
      if (!(error instanceof CannotSign)) throw error;
      this.#options.logger.warn({ err: error, companyId }, "a company's notifications wait");
      this.#leaveAlone(companyId, cannotSignPauseMs);
      return undefined;
    }
  }

  /** A webhook was deleted: what waits for it here is not sent any more. */
  forget(webhookId: string): void {
    for (const outbox of this.#outboxes.values()) outbox.forget((id) => id === webhookId);
  }

  /** A request is on its way. */
  get isSending(): boolean {
    return [...this.#outboxes.values()].some((outbox) => outbox.isSending);
  }

  /** Lets what is in flight end, or breaks it off after a moment; gives back what was not sent; writes both down. */
  async stop(): Promise<void> {
    const outboxes = [...this.#outboxes.values()];
    for (const outbox of outboxes) outbox.close();
    await this.#options.client.close(stopPatienceMs);
    while (this.isSending) await setImmediate();
    const drained = Promise.all(outboxes.map((outbox) => outbox.drain()));
    const timer = setTimeout(() => outboxes.forEach((outbox) => outbox.giveUp()), stopPatienceMs);
    await drained;
    clearTimeout(timer);
  }

  #outboxOf(companyId: string): Outbox {
    let outbox = this.#outboxes.get(companyId);
    if (outbox === undefined) {
      if (this.#outboxes.size >= outboxesMax) this.#forgetIdle();
      outbox = new Outbox(this.#options, companyId);
      this.#outboxes.set(companyId, outbox);
    }
    return outbox;
  }

  /** How fast a company's receivers answer is worth remembering for a while; of very many companies it is not. */
  #forgetIdle(): void {
    for (const [companyId, outbox] of this.#outboxes)
      if (outbox.isIdle) this.#outboxes.delete(companyId);
  }

  #leaveAlone(companyId: string, ms: number): void {
    const nowMs = performance.now();
    if (this.#silent.size >= silentMax)
      for (const [id, untilMs] of this.#silent) if (untilMs <= nowMs) this.#silent.delete(id);
    this.#silent.set(companyId, nowMs + ms);
  }
}
