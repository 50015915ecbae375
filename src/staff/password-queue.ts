import { TooBusyForPasswords } from "./errors.ts";

/** Who waits for a password to be looked at. */
export interface PasswordCaller {
  /** A browser that its person has signed in with before, an open session, or the holder of a link. */
  readonly isKnown: boolean;
  /** Lanes take turns: of a stranger the network, of the others who they are. */
  readonly lane: string;
  /** Aborted when the caller hangs up: then nobody waits for the answer. */
  readonly hungUp?: AbortSignal | undefined;
}

export interface PasswordQueueLimits {
  /** At the same time, so that people who sign in take neither the memory nor the threads of the service. */
  readonly atOnce: number;
  /** How many of these may be strangers'. The other places are never theirs. */
  readonly strangersAtOnce: number;
  readonly waitingPerLane: number;
  readonly waiting: number;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

/**
 * Looks at a few passwords at a time. Known callers come first and have places that strangers can never take; strangers wait by
 * network, a few of each, and networks take turns. When there is no room left, the longest lane gives way to a shorter one.
 */
export class PasswordQueue {
  readonly #limits: PasswordQueueLimits;
  readonly #known: Lanes;
  readonly #strangers: Lanes;
  #running = 0;
  #strangersRunning = 0;

  constructor(limits: PasswordQueueLimits) {
    this.#limits = limits;
    this.#known = new Lanes(limits);
    this.#strangers = new Lanes(limits);
  }

  /** Throws TooBusyForPasswords when there is no room to wait, and when the caller has hung up. */
  async run<Result>(caller: PasswordCaller, work: () => Promise<Result>): Promise<Result> {
    await this.#wait(caller);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (!caller.isKnown) this.#strangersRunning -= 1;
      this.#startNext();
    }
  }

  #wait({ isKnown, lane, hungUp }: PasswordCaller): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const lanes = isKnown ? this.#known : this.#strangers;
      const leave = () => {
        lanes.remove(lane, waiting);
        waiting.refuse();
      };
      const waiting: Waiting = {
        start: () => {
          hungUp?.removeEventListener("abort", leave);
          this.#running += 1;
          if (!isKnown) this.#strangersRunning += 1;
          resolve();
        },
        refuse: () => {
          hungUp?.removeEventListener("abort", leave);
          reject(new TooBusyForPasswords());
        },
      };
      if (hungUp?.aborted === true || !lanes.add(lane, waiting)) return waiting.refuse();
      hungUp?.addEventListener("abort", leave);
      this.#startNext();
    });
  }

  #startNext(): void {
    const { atOnce, strangersAtOnce } = this.#limits;
    while (this.#running < atOnce) {
      const next =
        this.#known.next() ??
        (this.#strangersRunning < strangersAtOnce ? this.#strangers.next() : undefined);
      if (next === undefined) return;
      next.start();
    }
  }
}

/** Those who wait, by lane. The first lane is the next one's turn. */
class Lanes {
  readonly #limits: Pick<PasswordQueueLimits, "waiting" | "waitingPerLane">;
  readonly #lanes = new Map<string, Waiting[]>();
  #count = 0;

  constructor(limits: Pick<PasswordQueueLimits, "waiting" | "waitingPerLane">) {
    this.#limits = limits;
  }

  /** False: there is no room. */
  add(lane: string, waiting: Waiting): boolean {
    const own = this.#lanes.get(lane) ?? [];
    if (own.length >= this.#limits.waitingPerLane) return false;
    if (this.#count >= this.#limits.waiting && !this.#makeRoom(own.length)) return false;
    own.push(waiting);
    this.#lanes.set(lane, own);
    this.#count += 1;
    return true;
  }

  remove(lane: string, waiting: Waiting): void {
    const own = this.#lanes.get(lane);
    const at = own?.indexOf(waiting) ?? -1;
    if (own === undefined || at < 0) return;
    own.splice(at, 1);
    if (own.length === 0) this.#lanes.delete(lane);
    this.#count -= 1;
  }

  next(): Waiting | undefined {
    for (const [lane, own] of this.#lanes) {
      const first = own.shift();
      // Behind all others, until its turn comes again.
      this.#lanes.delete(lane);
      if (own.length > 0) this.#lanes.set(lane, own);
      if (first === undefined) continue;
      this.#count -= 1;
      return first;
    }
    return undefined;
  }

  /** The last of the longest lane goes, if that lane has more than the newcomer's would have. */
  #makeRoom(ownLength: number): boolean {
    const [lane, longest] = Array.from(this.#lanes).reduce(
      (one, other) => (other[1].length > one[1].length ? other : one),
      ["", [] as Waiting[]],
    );
    const last = longest.at(-1);
    if (last === undefined || longest.length <= ownLength + 1) return false;
    this.remove(lane, last);
    last.refuse();
    return true;
  }
}
