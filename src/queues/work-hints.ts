import type { Signals } from "../database/signals.ts";

const channel = "work_ready";
const hintEveryMs = 100;
/** A signal that names more companies than this would be longer than a look for all of them is slow. */
const namedMax = 50;

/** Within a node they cost next to nothing; so many at a time still go together. */
const passOnEveryMs = 10;

type Wake = (companyId?: string) => void;
/** Without companies: somebody has something to do. */
export type PassOn = (queue: string, companyIds: readonly string[]) => void;

/**
 * Tells workers that there is something to do: a worker in this process directly, one in another process of this node by
 * `passOn`, others through a signal, at most ten a second for each queue.
 */
export class WorkHints {
  readonly #signals: Signals;
  readonly #local = new Map<string, Wake>();
  /** What the next signal of a queue will say: the companies; undefined: too many to name. */
  readonly #pending = new Map<string, Set<string> | undefined>();

  readonly #passOn: PassOn | undefined;

  constructor(signals: Signals, passOn?: PassOn) {
    this.#signals = signals;
    this.#passOn = passOn;
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
      const pauseMs = this.#passOn === undefined ? hintEveryMs : passOnEveryMs;
      setTimeout(() => this.#send(queue), pauseMs).unref();
    }
    const named = this.#pending.get(queue);
    if (companyId === undefined || named?.size === namedMax) this.#pending.set(queue, undefined);
    else named?.add(companyId);
  }

  /** What another process of this node has passed on. */
  hear(queue: string, companyIds: readonly string[]): void {
    if (companyIds.length === 0) this.hint(queue);
    for (const companyId of companyIds) this.hint(queue, companyId);
  }

  #send(queue: string): void {
    const companyIds = [...(this.#pending.get(queue) ?? [])];
    this.#pending.delete(queue);
    // A lost hint costs a poll interval, nothing more.
    if (this.#passOn !== undefined) {
      this.#passOn(queue, companyIds);
      return;
    }
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
