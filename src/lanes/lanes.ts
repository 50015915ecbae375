import { setImmediate as nextTurn } from "node:timers/promises";
import { DatabaseWaiting, OutcomeUnknown, sqlState } from "../database/errors.ts";
import { Overloaded } from "../kernel/errors.ts";
import type { Histogram } from "../kernel/metrics.ts";
import type { Tracing } from "../tracing/tracing.ts";

const setRowsMax = 1_000;
/** Of one company: another's rows are no reason to refuse anybody. */
const waitingRowsMax = 20_000;
/** Who would wait longer than this is refused instead: a caller gives up too, and then nobody knows. */
const patienceMaxMs = 5_000;
/** A call that takes longer is held up: then too many wait because of the database, not because too many came. */
const slowCallMs = 1_000;

/** The share of a call's time for which those are waited for whom it answered: little is lost when they stay away. */
const gatherShare = 1 / 8;
/** A timer is no finer. */
const gatherMinMs = 1;
const gatherMaxMs = 5;
/** Of more callers than this, half are enough for a call: its own price is little beside theirs. */
const gatherCallersMax = 16;

/** What travels on a lane, and how it gets into the books. */
export interface LaneWork<Parcel, Outcome> {
  /** The rows it puts into a call; all limits are counted in rows. */
  readonly rowsOf: (parcel: Parcel) => number;
  /** True when it needs a call to itself. */
  readonly travelsAlone: (parcel: Parcel) => boolean;
  /**
   * What may not stand twice in one call, such as a reference: a function for each kind. A parcel that repeats
   * one waits for the next call, where it finds the first one in the books.
   */
  readonly marks: readonly ((parcel: Parcel) => string | undefined)[];
  /** One call that commits by itself: an outcome for each parcel, in their order. */
  readonly send: (companyId: string, parcels: readonly Parcel[]) => Promise<readonly Outcome[]>;
  /** After a connection broke under a call: the outcome of what is in the books, undefined for the rest. */
  readonly findLanded: (
    companyId: string,
    parcels: readonly Parcel[],
  ) => Promise<readonly (Outcome | undefined)[]>;
}

/** Told once for each set, in seconds. */
export interface LaneTimes {
  /** How long the first of the set waited for the call before. */
  readonly waited: (seconds: number) => void;
  /** How long the call took, with its wait for the company's lock. */
  readonly took: (seconds: number) => void;
}

/** What a lane may do besides: be part of traces, and tell how long things take. */
export interface LaneOptions {
  readonly tracing?: Tracing | undefined;
  readonly times?: LaneTimes | undefined;
}

interface Waiting<Parcel, Outcome> {
  readonly parcel: Parcel;
  readonly rows: number;
  readonly sinceMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane<Parcel, Outcome> {
  /** In the order in which they came. */
  waiting: Waiting<Parcel, Outcome>[];
  /** When the call that is under way was made. */
  sentAtMs: number;
  /** Rows that wait or are under way. */
  rows: number;
  /** How many wait once those whom the last call answered are back. */
  expected: number;
  /** While they are waited for: ends that. */
  endGathering?: (() => void) | undefined;
}

/**
 * One lane per company. What arrives while a database call of its company is running waits for it and goes together in the next
 * one. An idle lane sends the first at once. A busy one sends as many as came meanwhile: after one turn of the event loop, and after
 * a call that took long also a moment later, so that those whom it answered can be back. Nobody passes another, except one
 * that repeats a mark and so has to wait. A lane whose call does not come back takes nothing more in.
 */
export class Lanes<Parcel, Outcome> {
  readonly #work: LaneWork<Parcel, Outcome>;
  readonly #setSizes: Histogram;
  readonly #onSent: (companyId: string) => void;
  readonly #patienceMs: number;
  readonly #times: LaneTimes | undefined;
  readonly #lanes = new Map<string, Lane<Parcel, Outcome>>();
  /** Each kind of mark, and those of the set that is being put together. */
  readonly #marks: readonly {
    readonly markOf: (parcel: Parcel) => string | undefined;
    readonly taken: Set<string>;
  }[];

  constructor(
    work: LaneWork<Parcel, Outcome>,
    setSizes: Histogram,
    onSent: (companyId: string) => void,
    patienceMs = patienceMaxMs,
    times?: LaneTimes,
  ) {
    this.#work = work;
    this.#setSizes = setSizes;
    this.#onSent = onSent;
    this.#patienceMs = patienceMs;
    this.#times = times;
    this.#marks = work.marks.map((markOf) => ({ markOf, taken: new Set() }));
  }

  submit(companyId: string, parcel: Parcel): Promise<Outcome> {
    const rows = this.#work.rowsOf(parcel);
    const sinceMs = performance.now();
    const lane = this.#lanes.get(companyId);
    if (lane !== undefined && sinceMs - lane.sentAtMs > this.#patienceMs)
      return Promise.reject(new DatabaseWaiting());
    if (lane !== undefined && lane.rows + rows > waitingRowsMax) {
      const isHeldUp = sinceMs - lane.sentAtMs > slowCallMs;
      return Promise.reject(isHeldUp ? new DatabaseWaiting() : new Overloaded());
    }
    return new Promise((resolve, reject) => {
      const waiting = { parcel, rows, sinceMs, resolve, reject };
      if (lane === undefined) void this.#run(companyId, waiting);
      else {
        lane.waiting.push(waiting);
        lane.rows += rows;
        if (lane.waiting.length >= lane.expected) lane.endGathering?.();
      }
    });
  }

  async #run(companyId: string, first: Waiting<Parcel, Outcome>): Promise<void> {
    const lane: Lane<Parcel, Outcome> = {
      waiting: [first],
      sentAtMs: 0,
      rows: first.rows,
      expected: 0,
    };
    this.#lanes.set(companyId, lane);
    while (lane.waiting.length > 0) {
      lane.sentAtMs = performance.now();
      this.#refuseLate(lane);
      const chosen = this.#nextSet(lane);
      const [head] = chosen;
      if (head !== undefined) {
        const rows = rowsOf(chosen);
        this.#setSizes.observe(rows);
        this.#times?.waited((lane.sentAtMs - head.sinceMs) / 1_000);
        lane.expected = 0;
        await this.#send(companyId, lane, chosen);
        const tookMs = performance.now() - lane.sentAtMs;
        this.#times?.took(tookMs / 1_000);
        lane.rows -= rows;
        // Requests that have reached the socket are read in this turn and go along: under load that makes sets
        // half as many and twice as large. A process with nothing to read loses a few microseconds.
        await nextTurn();
        if (!this.#work.travelsAlone(head.parcel))
          await this.#gather(lane, Math.min(tookMs * gatherShare, gatherMaxMs));
      }
    }
    this.#lanes.delete(companyId);
  }

  /**
   * Waits a moment for those whom the last call answered. Whoever sends one request after the other is back at once; if nobody waited for
   * that, the callers of a company would take turns in two halves, in twice as many calls.
   */
  async #gather(lane: Lane<Parcel, Outcome>, limitMs: number): Promise<void> {
    const { waiting, expected } = lane;
    if (waiting.length >= expected || expected > gatherCallersMax || limitMs < gatherMinMs) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      lane.endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    lane.endGathering = undefined;
  }

  /** They waited for the database, and were never sent: "nothing was done" is true. */
  #refuseLate(lane: Lane<Parcel, Outcome>): void {
    const { waiting, sentAtMs } = lane;
    const latestMs = sentAtMs - this.#patienceMs;
    const inTime = waiting.findIndex(({ sinceMs }) => sinceMs >= latestMs);
    if (inTime === 0) return;
    const late = waiting.splice(0, inTime === -1 ? waiting.length : inTime);
    lane.rows -= rowsOf(late);
    for (const { reject } of late) reject(new DatabaseWaiting());
  }

  async #send(
    companyId: string,
    lane: Lane<Parcel, Outcome>,
    chosen: readonly Waiting<Parcel, Outcome>[],
  ): Promise<void> {
    const parcels = chosen.map(({ parcel }) => parcel);
    try {
      const outcomes = await this.#work.send(companyId, parcels);
      // Before the answers: whoever asks again at once is not counted twice.
      lane.expected = lane.waiting.length + chosen.length;
      // An outcome for each: `send` promises as many as it was given.
      for (let place = 0; place < chosen.length; place += 1)
        chosen[place]?.resolve(outcomes[place] as Outcome);
      this.#onSent(companyId);
    } catch (error) {
      await this.#sendFailed(companyId, lane, chosen, error);
    }
  }

  /** The call failed as a whole. Nobody is told a guess, and nobody pays for a neighbour's row. */
  async #sendFailed(
    companyId: string,
    lane: Lane<Parcel, Outcome>,
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
      for (const waiting of chosen) await this.#send(companyId, lane, [waiting]);
      return;
    }
    for (const { reject } of chosen) reject(error);
  }

  /** Takes as many from the front as may go together. Usually these are all that wait. */
  #nextSet(lane: Lane<Parcel, Outcome>): readonly Waiting<Parcel, Outcome>[] {
    const { waiting } = lane;
    const end = this.#endOfSet(waiting);
    const front = end === waiting.length ? waiting : waiting.splice(0, end);
    const repeats = front.filter(({ parcel }) => this.#isRepeat(parcel));
    for (const { taken } of this.#marks) taken.clear();
    if (front === waiting) lane.waiting = repeats;
    else if (repeats.length > 0) lane.waiting = [...repeats, ...waiting];
    if (repeats.length === 0) return front;
    const behind = new Set(repeats);
    return front.filter((one) => !behind.has(one));
  }

  /** Up to what travels alone, or to the most that one call may have. */
  #endOfSet(waiting: readonly Waiting<Parcel, Outcome>[]): number {
    let place = 0;
    let sum = 0;
    for (const { parcel, rows } of waiting) {
      sum += rows;
      if (place > 0 && sum > setRowsMax) return place;
      if (this.#work.travelsAlone(parcel)) return Math.max(place, 1);
      place += 1;
    }
    return waiting.length;
  }

  /** Also what waits keeps its marks, so that whoever shares one with it does not pass it. */
  #isRepeat(parcel: Parcel): boolean {
    let isRepeat = false;
    for (const { markOf, taken } of this.#marks) {
      const mark = markOf(parcel);
      if (mark === undefined) continue;
      if (taken.has(mark)) isRepeat = true;
      else taken.add(mark);
    }
    return isRepeat;
  }
}

function rowsOf(set: readonly { readonly rows: number }[]): number {
  let sum = 0;
  for (const { rows } of set) sum += rows;
  return sum;
}
