import { OutcomeUnknown, sqlState } from "../database/errors.ts";
import { retryDeadlocks } from "../database/retry.ts";
import type { Histogram } from "../kernel/metrics.ts";
import { Overloaded } from "../kernel/overloaded.ts";

const setRowsMax = 1_000;
const waitingRowsMax = 20_000;
/** Who would wait longer than this is refused instead: a caller gives up too, and then nobody knows. */
const patienceMaxMs = 5_000;

/** What travels on a lane, and how it gets into the books. */
export interface LaneWork<Parcel, Outcome> {
  /** The rows it puts into a call; all limits are counted in rows. */
  readonly rowsOf: (parcel: Parcel) => number;
  /** True when it needs a call to itself. */
  readonly travelsAlone: (parcel: Parcel) => boolean;
  /**
   * What may not stand twice in one call, such as a reference. A repeated one waits for the next call,
   * where it finds the first one in the books.
   */
  readonly marksOf: (parcel: Parcel) => readonly string[];
  /** One call that commits by itself: an outcome for each parcel, in their order. */
  readonly send: (companyId: string, parcels: readonly Parcel[]) => Promise<readonly Outcome[]>;
  /** After a connection broke under a call: the outcome of what is in the books, undefined for the rest. */
  readonly findLanded: (
    companyId: string,
    parcels: readonly Parcel[],
  ) => Promise<readonly (Outcome | undefined)[]>;
}

interface Waiting<Parcel, Outcome> {
  readonly parcel: Parcel;
  readonly sinceMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane<Parcel, Outcome> {
  waiting: Waiting<Parcel, Outcome>[];
  /** When the call that is under way was made. */
  sentAtMs: number;
}

/**
 * One lane per company. What arrives while a database call of its company is running waits for it and goes
 * together in the next one. There is no timer: an idle lane sends the first at once, and a busy one sends
 * as many as came meanwhile. A lane whose call does not come back takes nothing more in.
 */
export class Lanes<Parcel, Outcome> {
  readonly #work: LaneWork<Parcel, Outcome>;
  readonly #setSizes: Histogram;
  readonly #onSent: (companyId: string) => void;
  readonly #patienceMs: number;
  readonly #lanes = new Map<string, Lane<Parcel, Outcome>>();
  #waitingRows = 0;

  constructor(
    work: LaneWork<Parcel, Outcome>,
    setSizes: Histogram,
    onSent: (companyId: string) => void,
    patienceMs = patienceMaxMs,
  ) {
    this.#work = work;
    this.#setSizes = setSizes;
    this.#onSent = onSent;
    this.#patienceMs = patienceMs;
  }

  submit(companyId: string, parcel: Parcel): Promise<Outcome> {
    const rows = this.#work.rowsOf(parcel);
    const sinceMs = performance.now();
    const lane = this.#lanes.get(companyId);
    const isStuck = lane !== undefined && sinceMs - lane.sentAtMs > this.#patienceMs;
    if (isStuck || this.#waitingRows + rows > waitingRowsMax)
      return Promise.reject(new Overloaded());
    this.#waitingRows += rows;
    return new Promise((resolve, reject) => {
      const waiting = { parcel, sinceMs, resolve, reject };
      if (lane === undefined) void this.#run(companyId, waiting);
      else lane.waiting.push(waiting);
    });
  }

  async #run(companyId: string, first: Waiting<Parcel, Outcome>): Promise<void> {
    const lane = { waiting: [first], sentAtMs: 0 };
    this.#lanes.set(companyId, lane);
    while (lane.waiting.length > 0) {
      lane.sentAtMs = performance.now();
      this.#refuseLate(lane);
      const { chosen, left } = this.#nextSet(lane.waiting);
      lane.waiting = left;
      if (chosen.length > 0) await this.#send(companyId, chosen);
      this.#waitingRows -= this.#rowsOf(chosen);
    }
    this.#lanes.delete(companyId);
  }

  /** They were never sent, so "nothing was done" is true. */
  #refuseLate(lane: Lane<Parcel, Outcome>): void {
    const isLate = ({ sinceMs }: Waiting<Parcel, Outcome>) =>
      lane.sentAtMs - sinceMs > this.#patienceMs;
    // They are in the order in which they came, but for those that had to stand back.
    if (!lane.waiting.some(isLate)) return;
    const late = lane.waiting.filter(isLate);
    lane.waiting = lane.waiting.filter((waiting) => !isLate(waiting));
    this.#waitingRows -= this.#rowsOf(late);
    for (const { reject } of late) reject(new Overloaded());
  }

  async #send(companyId: string, chosen: readonly Waiting<Parcel, Outcome>[]): Promise<void> {
    const parcels = chosen.map(({ parcel }) => parcel);
    this.#setSizes.observe(this.#rowsOf(chosen));
    try {
      const outcomes = await retryDeadlocks(() => this.#work.send(companyId, parcels));
      // An outcome for each: `send` promises as many as it was given.
      for (const [index, { resolve }] of chosen.entries()) resolve(outcomes[index] as Outcome);
      this.#onSent(companyId);
    } catch (error) {
      await this.#sendFailed(companyId, chosen, error);
    }
  }

  /** The call failed as a whole. Nobody is told a guess, and nobody pays for a neighbour's row. */
  async #sendFailed(
    companyId: string,
    chosen: readonly Waiting<Parcel, Outcome>[],
    error: unknown,
  ): Promise<void> {
    if (error instanceof OutcomeUnknown) {
      const parcels = chosen.map(({ parcel }) => parcel);
      const landed = await this.#work.findLanded(companyId, parcels);
      for (const [index, { resolve, reject }] of chosen.entries()) {
        const outcome = landed[index];
        if (outcome === undefined) reject(error);
        else resolve(outcome);
      }
      return;
    }
    if (sqlState(error) !== undefined && chosen.length > 1) {
      // PostgreSQL refused something in the set and rolled all of it back: each goes again by itself.
      for (const waiting of chosen) await this.#send(companyId, [waiting]);
      return;
    }
    for (const { reject } of chosen) reject(error);
  }

  /** As many from the front as may go together. */
  #nextSet(lane: readonly Waiting<Parcel, Outcome>[]) {
    const { travelsAlone, marksOf } = this.#work;
    const [first] = lane;
    if (first !== undefined && travelsAlone(first.parcel))
      return { chosen: [first], left: lane.slice(1) };

    const chosen: Waiting<Parcel, Outcome>[] = [];
    const left: Waiting<Parcel, Outcome>[] = [];
    const taken = new Set<string>();
    for (const [index, waiting] of lane.entries()) {
      if (chosen.length === setRowsMax) {
        left.push(...lane.slice(index));
        break;
      }
      const marks = marksOf(waiting.parcel);
      if (travelsAlone(waiting.parcel) || marks.some((mark) => taken.has(mark))) {
        left.push(waiting);
      } else {
        chosen.push(waiting);
        for (const mark of marks) taken.add(mark);
      }
    }
    return { chosen, left };
  }

  #rowsOf(chosen: readonly Waiting<Parcel, Outcome>[]): number {
    return chosen.reduce((rows, { parcel }) => rows + this.#work.rowsOf(parcel), 0);
  }
}
