import type { Database } from "../database/database.ts";
import { lookAgain } from "../database/look-again.ts";
import type { Histogram } from "../kernel/metrics.ts";
import { isMadeWith, newNonce } from "../kernel/ordered-id.ts";
import { referenceKey } from "../kernel/reference-forms.ts";
import { type LaneOptions, Lanes, type LaneWork } from "../lanes/lanes.ts";
import { type SetTracing, tracedWork } from "../lanes/trace-sets.ts";
import { type Verdict, verdictsOf } from "../lanes/verdicts.ts";
import type { SpanContext } from "../tracing/trace-parent.ts";
import {
  type ChargeProblem,
  lockChargeList,
  type Submission,
  selectUsedExternalIds,
  submitCharges,
} from "./submit-store.ts";

type ChargeVerdict = Verdict<ChargeProblem>;

interface Parcel {
  readonly submission: Submission;
  /** Only the first parcel's of a set is used. */
  readonly nonce: number;
  /** Of the request, if it is recorded. */
  readonly span: SpanContext | undefined;
}

/** The way of charges into the books, one call for all that wait: see `Lanes`. */
export class ChargeLanes {
  readonly #lanes: Lanes<Parcel, ChargeVerdict>;
  /** How long a charge is due. */
  readonly lifetimeSeconds: number;

  constructor(
    database: Database,
    lifetimeSeconds: number,
    setSizes: Histogram,
    { tracing, times }: LaneOptions = {},
  ) {
    this.lifetimeSeconds = lifetimeSeconds;
    const work = chargeWork(database, lifetimeSeconds);
    // Creating a charge makes no event, and its expiry is far off: there is nobody to wake.
    this.#lanes = new Lanes(
      tracing === undefined ? work : tracedWork(work, tracing, setTracing),
      setSizes,
      () => {},
      undefined,
      times,
    );
  }

  /** Creates one charge, or says why not. */
  async submit(
    companyId: string,
    submission: Submission,
    span?: SpanContext,
  ): Promise<ChargeVerdict> {
    return this.#lanes.submit(companyId, { submission, nonce: newNonce(), span });
  }
}

const setTracing: SetTracing<Parcel, ChargeVerdict> = {
  kind: "charges",
  spanOf: ({ span }) => span,
  madeOf: ({ id }) => (id === undefined ? undefined : { id, size: 1 }),
};

function chargeWork(database: Database, lifetimeSeconds: number): LaneWork<Parcel, ChargeVerdict> {
  return {
    rowsOf: () => 1,
    travelsAlone: () => false,
    marks: [
      ({ submission }) => referenceKey(submission.charge.externalId),
      ({ submission }) => submission.key?.key,
    ],

    async send(companyId, parcels) {
      const nonce = parcels[0]?.nonce ?? 0;
      const submissions = parcels.map(({ submission }) => submission);
      const row = await submitCharges(database, companyId, lifetimeSeconds, nonce, submissions);
      return verdictsOf(row, nonce, submissions.length);
    },

    /**
     * Looks for the external ids under the lock of the list, which the lost call may still hold while it commits. What
     * carries this call's nonce was made by it. What is not found may still come, so its caller is told "unknown".
     */
    async findLanded(companyId, parcels) {
      const nonce = parcels[0]?.nonce ?? 0;
      const externalIds = parcels.map(({ submission }) => submission.charge.externalId);
      const used = await lookAgain(database, async (tx) => {
        await lockChargeList(tx, companyId);
        return selectUsedExternalIds(tx, companyId, externalIds);
      });
      return externalIds.map((externalId) => {
        const id = used?.get(externalId);
        return id !== undefined && isMadeWith(nonce, id) ? { id } : undefined;
      });
    },
  };
}
