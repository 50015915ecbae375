import type { Database } from "../database/database.ts";
import { Lanes, type LaneWork } from "../database/lanes.ts";
import type { Histogram } from "../kernel/metrics.ts";
import { findLanded } from "./find-landed.ts";
import { selectUsedReferences } from "./store.ts";
import {
  type BatchHeader,
  type Refusal,
  type Submission,
  submitTransfers,
} from "./submit-store.ts";

/** Null: accepted and committed. */
export type Verdict = Refusal | null;

interface Parcel {
  readonly submissions: readonly Submission[];
  /** A batch travels alone: it is accepted as a whole or not at all. */
  readonly batch?: BatchHeader;
}

/** The way of transfers into the books, one call for all that wait: see `Lanes`. */
export class SubmissionLanes {
  readonly #database: Database;
  readonly #lanes: Lanes<Parcel, readonly Refusal[]>;

  constructor(database: Database, setSizes: Histogram, onAccepted: () => void) {
    this.#database = database;
    this.#lanes = new Lanes(transferWork(database), setSizes, onAccepted);
  }

  /** Accepts one transfer, or says why not. */
  async submit(companyId: string, submission: Submission): Promise<Verdict> {
    const [refusal] = await this.#lanes.submit(companyId, { submissions: [submission] });
    return refusal ?? null;
  }

  /** Accepts a batch as a whole, or says what is wrong with which rows. */
  async submitBatch(
    companyId: string,
    batch: BatchHeader,
    submissions: readonly Submission[],
  ): Promise<readonly Refusal[]> {
    return this.#lanes.submit(companyId, { submissions, batch });
  }

  /** Which of these references are taken, and by what. */
  async findUsedReferences(
    companyId: string,
    references: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    return selectUsedReferences(this.#database, companyId, references);
  }
}

function transferWork(database: Database): LaneWork<Parcel, readonly Refusal[]> {
  return {
    rowsOf: ({ submissions }) => submissions.length,
    travelsAlone: ({ batch }) => batch !== undefined,
    marksOf: ({ submissions: [submission] }) => {
      const reference = `reference ${submission?.transfer.reference}`;
      const key = submission?.key?.key;
      return key === undefined ? [reference] : [reference, `key ${key}`];
    },

    async send(companyId, parcels) {
      const submissions = parcels.flatMap((parcel) => parcel.submissions);
      const batch = parcels[0]?.batch;
      const refusals = await submitTransfers(database, companyId, submissions, batch);
      if (batch !== undefined) return [refusals];
      const byPlace = new Map(refusals.map((refusal) => [refusal.place, refusal]));
      return parcels.map((_, index) => {
        const refusal = byPlace.get(index + 1);
        return refusal === undefined ? [] : [refusal];
      });
    },

    async findLanded(companyId, parcels) {
      const ids = parcels.flatMap(({ submissions }) =>
        submissions.map(({ transfer }) => transfer.id),
      );
      const landed = await findLanded(database, companyId, ids);
      return parcels.map(({ submissions }) =>
        submissions.every(({ transfer }) => landed.has(transfer.id)) ? [] : undefined,
      );
    },
  };
}
