import type { Database } from "../database/database.ts";
import { isRetryable, OutcomeUnknown, sqlState } from "../database/errors.ts";
import { Overloaded } from "../http/errors.ts";
import type { Histogram } from "../kernel/metrics.ts";
import { findLanded } from "./find-landed.ts";
import { selectUsedReferences } from "./store.ts";
import {
  type BatchHeader,
  type Refusal,
  type Submission,
  submitTransfers,
} from "./submit-store.ts";

const setRowsMax = 1_000;
const waitingRowsMax = 20_000;
const attemptsMax = 5;

/** Null: accepted and committed. */
export type Verdict = Refusal | null;

interface Waiting {
  readonly submissions: readonly Submission[];
  /** A batch travels alone: it is accepted as a whole or not at all. */
  readonly batch?: BatchHeader;
  readonly resolve: (refusals: readonly Refusal[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One lane per company. Requests that arrive while a database call of their company is running wait for
 * it and go together in the next one. There is no timer: an idle lane sends the first request at once,
 * and a busy one sends as many as came meanwhile.
 */
export class SubmissionLanes {
  readonly #database: Database;
  readonly #setSizes: Histogram;
  readonly #onAccepted: () => void;
  readonly #lanes = new Map<string, Waiting[]>();
  #waitingRows = 0;

  constructor(database: Database, setSizes: Histogram, onAccepted: () => void) {
    this.#database = database;
    this.#setSizes = setSizes;
    this.#onAccepted = onAccepted;
  }

  /** Accepts one transfer, or says why not. */
  async submit(companyId: string, submission: Submission): Promise<Verdict> {
    const [refusal] = await this.#enqueue(companyId, [submission]);
    return refusal ?? null;
  }

  /** Accepts a batch as a whole, or says what is wrong with which rows. */
  async submitBatch(
    companyId: string,
    batch: BatchHeader,
    submissions: readonly Submission[],
  ): Promise<readonly Refusal[]> {
    return this.#enqueue(companyId, submissions, batch);
  }

  /** Which of these references are taken, and by what. */
  async findUsedReferences(
    companyId: string,
    references: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    return selectUsedReferences(this.#database, companyId, references);
  }

  #enqueue(
    companyId: string,
    submissions: readonly Submission[],
    batch?: BatchHeader,
  ): Promise<readonly Refusal[]> {
    if (this.#waitingRows + submissions.length > waitingRowsMax)
      return Promise.reject(new Overloaded());
    this.#waitingRows += submissions.length;
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        submissions,
        resolve,
        reject,
        ...(batch === undefined ? {} : { batch }),
      };
      const lane = this.#lanes.get(companyId);
      if (lane === undefined) {
        this.#lanes.set(companyId, [waiting]);
        void this.#run(companyId);
      } else {
        lane.push(waiting);
      }
    });
  }

  async #run(companyId: string): Promise<void> {
    for (
      let lane = this.#lanes.get(companyId);
      lane !== undefined && lane.length > 0;
      lane = this.#lanes.get(companyId)
    ) {
      const { chosen, left } = nextSet(lane);
      this.#lanes.set(companyId, left);
      await this.#send(companyId, chosen);
      this.#waitingRows -= chosen.reduce((rows, { submissions }) => rows + submissions.length, 0);
    }
    this.#lanes.delete(companyId);
  }

  async #send(companyId: string, chosen: readonly Waiting[]): Promise<void> {
    const submissions = chosen.flatMap((waiting) => waiting.submissions);
    this.#setSizes.observe(submissions.length);
    try {
      const refusals = await this.#submitWithRetries(companyId, submissions, chosen[0]?.batch);
      if (chosen[0]?.batch !== undefined) {
        chosen[0].resolve(refusals);
      } else {
        const byPlace = new Map(refusals.map((refusal) => [refusal.place, refusal]));
        for (const [index, waiting] of chosen.entries()) {
          const refusal = byPlace.get(index + 1);
          waiting.resolve(refusal === undefined ? [] : [refusal]);
        }
      }
      this.#onAccepted();
    } catch (error) {
      await this.#sendFailed(companyId, chosen, error);
    }
  }

  async #submitWithRetries(
    companyId: string,
    submissions: readonly Submission[],
    batch: BatchHeader | undefined,
  ): Promise<Refusal[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await submitTransfers(this.#database, companyId, submissions, batch);
      } catch (error) {
        if (!isRetryable(error) || attempt === attemptsMax) throw error;
      }
    }
  }

  /** The call failed as a whole. Nobody is told a guess, and nobody pays for a neighbour's row. */
  async #sendFailed(companyId: string, chosen: readonly Waiting[], error: unknown): Promise<void> {
    if (error instanceof OutcomeUnknown) {
      const ids = chosen.flatMap(({ submissions }) =>
        submissions.map(({ transfer }) => transfer.id),
      );
      const landed = await findLanded(this.#database, companyId, ids);
      for (const waiting of chosen) {
        if (waiting.submissions.every(({ transfer }) => landed.has(transfer.id)))
          waiting.resolve([]);
        else waiting.reject(error);
      }
      return;
    }
    if (sqlState(error) !== undefined && chosen.length > 1) {
      // PostgreSQL refused something in the set and rolled all of it back: each goes again by itself.
      for (const waiting of chosen) await this.#send(companyId, [waiting]);
      return;
    }
    for (const waiting of chosen) waiting.reject(error);
  }
}

/**
 * As many from the front as may go together. References and keys are different within a set: a repeated
 * one waits for the next call, where it finds the first one in the books.
 */
function nextSet(lane: readonly Waiting[]): { chosen: Waiting[]; left: Waiting[] } {
  const [first] = lane;
  if (first?.batch !== undefined) return { chosen: [first], left: lane.slice(1) };

  const chosen: Waiting[] = [];
  const left: Waiting[] = [];
  const references = new Set<string>();
  const keys = new Set<string>();
  for (const waiting of lane) {
    const [submission] = waiting.submissions;
    const reference = submission?.transfer.reference ?? "";
    const key = submission?.key?.key;
    const isBarred =
      waiting.batch !== undefined ||
      chosen.length === setRowsMax ||
      references.has(reference) ||
      (key !== undefined && keys.has(key));
    if (isBarred) {
      left.push(waiting);
    } else {
      chosen.push(waiting);
      references.add(reference);
      if (key !== undefined) keys.add(key);
    }
  }
  return { chosen, left };
}
