import type { Signals } from "../database/signals.ts";

const channel = "work_ready";
const hintEveryMs = 100;
/** A signal that names more companies than this would be longer than a look for all of them is slow. */
const namedMax = 50;

type Wake = (companyId?: string) => void;

/**
 * Tells workers that there is something to do: a worker in this process directly, others through a signal, at
 * most ten a second for each queue.
 */
export class WorkHints {
  readonly #signals: Signals;
  readonly #local = new Map<string, Wake>();
  /** What the next signal of a queue will say: the companies; undefined: too many to name. */
  readonly #pending = new Map<string, Set<string> | undefined>();

  constructor(signals: Signals) {
    this.#signals = signals;
  }

  /** Registers this process's own worker for a queue. */
  wakeLocally(queue: string, wake: Wake): void {
    this.#local.set(queue, wake);
    this.#signals.onListening(wake);
    this.#signals.on(channel, (payload) => {
      const [named, ...companyIds] = payload.split(" ");
      if (named !== queue) return;
      if (companyIds.length === 0) wake();
      for (const companyId of companyIds) wake(companyId);
    });
  }

  /** There is something to do for this company, or, without a name, for somebody. */
  hint(queue: string, companyId?: string): void {
    const wake = this.#local.get(queue);
    if (wake !== undefined) {
      wake(companyId);
      return;
    }
    if (!this.#pending.has(queue)) {
      this.#pending.set(queue, new Set());
      setTimeout(() => this.#send(queue), hintEveryMs).unref();
    }
    const named = this.#pending.get(queue);
    if (companyId === undefined || named?.size === namedMax) this.#pending.set(queue, undefined);
    else named?.add(companyId);
  }

  #send(queue: string): void {
    const companyIds = [...(this.#pending.get(queue) ?? [])];
    this.#pending.delete(queue);
    // A lost hint costs a poll interval, nothing more.
    sendHint(this.#signals, queue, companyIds).catch(() => {});
  }
}

/** For a process that ends soon. Without companies: somebody has something to do. */
export async function sendHint(
  signals: Signals,
  queue: string,
  companyIds: readonly string[],
): Promise<void> {
  await signals.send(channel, [queue, ...companyIds].join(" "));
}
