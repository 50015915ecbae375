import type { Database } from "../database/database.ts";
import { Lanes, type LaneWork } from "../database/lanes.ts";
import { lookAgain } from "../database/retry.ts";
import type { Histogram } from "../kernel/metrics.ts";
import {
  lockSubmissions,
  type Refusal,
  type Submission,
  selectPresentIds,
  submitCharges,
} from "./submit-store.ts";

/** Null: created and committed. */
export type Verdict = Refusal | null;

/** The way of charges into the books, one call for all that wait: see `Lanes`. */
export class ChargeLanes {
  readonly #lanes: Lanes<Submission, Verdict>;

  constructor(database: Database, lifetimeSeconds: number, setSizes: Histogram) {
    // Creating a charge makes no event, and its expiry is far off: there is nobody to wake.
    this.#lanes = new Lanes(chargeWork(database, lifetimeSeconds), setSizes, () => {});
  }

  /** Creates one charge, or says why not. */
  async submit(companyId: string, submission: Submission): Promise<Verdict> {
    return this.#lanes.submit(companyId, submission);
  }
}

function chargeWork(database: Database, lifetimeSeconds: number): LaneWork<Submission, Verdict> {
  return {
    rowsOf: () => 1,
    travelsAlone: () => false,
    marksOf: ({ charge, key }) => {
      const externalId = `external id ${charge.externalId}`;
      return key === undefined ? [externalId] : [externalId, `key ${key.key}`];
    },

    async send(companyId, submissions) {
      const refusals = await submitCharges(database, companyId, lifetimeSeconds, submissions);
      const byPlace = new Map(refusals.map((refusal) => [refusal.place, refusal]));
      return submissions.map((_, index) => byPlace.get(index + 1) ?? null);
    },

    /**
     * Waits for the lock that the lost call may still hold while it commits. What is found happened; what
     * is not found may still happen later, so its caller is told "unknown", never "failed".
     */
    async findLanded(companyId, submissions) {
      const ids = submissions.map(({ charge }) => charge.id);
      const landed = await lookAgain(database, async (tx) => {
        await lockSubmissions(tx, companyId);
        return selectPresentIds(tx, companyId, ids);
      });
      return ids.map((id) => (landed?.has(id) === true ? null : undefined));
    },
  };
}
