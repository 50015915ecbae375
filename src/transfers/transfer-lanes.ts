import type { Database } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import { lookAgain } from "../database/look-again.ts";
import type { Histogram } from "../kernel/metrics.ts";
import { isMadeWith, newNonce, orderedId } from "../kernel/ordered-id.ts";
import { referenceKey } from "../kernel/reference-forms.ts";
import { type LaneOptions, Lanes, type LaneWork } from "../lanes/lanes.ts";
import { type SetTracing, tracedWork } from "../lanes/trace-sets.ts";
import { type Refusal, refusalsIn, type Verdict, verdictsOf } from "../lanes/verdicts.ts";
import type { SpanContext } from "../tracing/trace-parent.ts";
import { selectUsedReferences } from "./store.ts";
import {
  type BatchHeader,
  lockBooks,
  type RecipientLimit,
  type Submission,
  submitTransfers,
  type TransferProblem,
} from "./submit-store.ts";

type TransferVerdict = Verdict<TransferProblem>;

/** A batch that was accepted, with the ids of its rows; or everything that is wrong with it. */
export type BatchVerdict =
  | { readonly id: string; readonly rowIds: readonly string[] }
  | { readonly refusals: readonly Refusal<TransferProblem>[] };

interface Parcel {
  readonly submissions: readonly Submission[];
  /** Only the first parcel's of a set is used. */
  readonly nonce: number;
  /** A batch travels alone: it is accepted as a whole or not at all. */
  readonly batch?: BatchHeader;
  /** Of the request, if it is recorded. */
  readonly span: SpanContext | undefined;
}

/** The way of transfers into the books, one call for all that wait: see `Lanes`. */
export class TransferLanes {
  readonly #lanes: Lanes<Parcel, TransferVerdict | BatchVerdict>;

  readonly limit: RecipientLimit;

  constructor(
    database: Database,
    limit: RecipientLimit,
    setSizes: Histogram,
    onAccepted: (companyId: string) => void,
    { tracing, times }: LaneOptions = {},
  ) {
    this.limit = limit;
    const work = transferWork(database, limit);
    this.#lanes = new Lanes(
      tracing === undefined ? work : tracedWork(work, tracing, setTracing),
      setSizes,
      onAccepted,
      undefined,
      times,
    );
  }

  /** Accepts one transfer, or says why not. */
  submit(companyId: string, submission: Submission, span?: SpanContext): Promise<TransferVerdict> {
    const parcel = { submissions: [submission], nonce: newNonce(), span };
    return this.#lanes.submit(companyId, parcel) as Promise<TransferVerdict>;
  }

  /** Accepts a batch as a whole, or says what is wrong with which rows. */
  async submitBatch(
    companyId: string,
    batch: BatchHeader,
    submissions: readonly Submission[],
    span?: SpanContext,
  ): Promise<BatchVerdict> {
    const parcel = { submissions, nonce: newNonce(), batch, span };
    return (await this.#lanes.submit(companyId, parcel)) as BatchVerdict;
  }
}

const setTracing: SetTracing<Parcel, TransferVerdict | BatchVerdict> = {
  kind: "transfers",
  spanOf: ({ span }) => span,
  madeOf(verdict) {
    if ("rowIds" in verdict) return { id: verdict.id, size: verdict.rowIds.length + 1 };
    return "id" in verdict && verdict.id !== undefined ? { id: verdict.id, size: 1 } : undefined;
  },
};

function transferWork(
  database: Database,
  limit: RecipientLimit,
): LaneWork<Parcel, TransferVerdict | BatchVerdict> {
  return {
    rowsOf: ({ submissions }) => submissions.length,
    travelsAlone: ({ batch }) => batch !== undefined,
    // A batch goes alone, so one row's are enough.
    marks: [
      ({ submissions: [submission] }) => submission && referenceKey(submission.transfer.reference),
      ({ submissions: [submission] }) => submission?.key?.key,
    ],

    async send(companyId, parcels) {
      const [first] = parcels;
      if (first === undefined) return [];
      const { nonce, batch, submissions } = first;
      if (batch !== undefined)
        return [await sendBatch(database, companyId, nonce, batch, submissions, limit)];
      const all = parcels.flatMap((parcel) => parcel.submissions);
      const row = await submitTransfers(database, companyId, nonce, all, undefined, limit);
      return verdictsOf(row, nonce, all.length);
    },

    /**
     * Looks for the references under the company's lock, which the lost call may still hold while it commits. What
     * carries this call's nonce was made by it. What is not found may still come, so its caller is told "unknown".
     */
    async findLanded(companyId, parcels) {
      const nonce = parcels[0]?.nonce ?? 0;
      const submissions = parcels.flatMap((parcel) => parcel.submissions);
      const used = await lookAgain(database, async (tx) => {
        await lockBooks(tx, companyId);
        return selectUsedReferences(
          tx,
          companyId,
          submissions.map(({ transfer }) => transfer.reference),
        );
      });
      const made = submissions.map(({ transfer }) => used?.get(transfer.reference));
      const isOurs = (transfer: { readonly id: string } | undefined) =>
        transfer !== undefined && isMadeWith(nonce, transfer.id);
      if (parcels[0]?.batch === undefined)
        return made.map((transfer) => (isOurs(transfer) ? { id: transfer?.id ?? "" } : undefined));
      const [first] = made;
      if (!isOurs(first) || first?.batchId == null) return [undefined];
      return [{ id: first.batchId, rowIds: made.map((transfer) => transfer?.id ?? "") }];
    },
  };
}

/** A refusal that depends on its references is an error of the call; which rows they are is looked up afterwards. */
async function sendBatch(
  database: Database,
  companyId: string,
  nonce: number,
  batch: BatchHeader,
  submissions: readonly Submission[],
  limit: RecipientLimit,
): Promise<BatchVerdict> {
  try {
    const row = await submitTransfers(database, companyId, nonce, submissions, batch, limit);
    const refusals = refusalsIn(row);
    if (refusals.length > 0) return { refusals };
    const id = orderedId(row.ms, row.base, nonce);
    const rowIds = submissions.map((_, index) => orderedId(row.ms, row.base + index + 1, nonce));
    return { id, rowIds };
  } catch (error) {
    const state = sqlState(error) ?? "";
    if (!["CA402", "CA409", "CA429"].includes(state)) throw error;
    const references = submissions.map(({ transfer }) => transfer.reference);
    const used = await selectUsedReferences(database, companyId, references);
    const refusals = references.flatMap((reference, index): Refusal<TransferProblem>[] => {
      const existingId = used.get(reference)?.id;
      if (existingId === undefined) return [];
      return [{ place: index + 1, problem: "duplicate_reference", existingId }];
    });
    // What is wrong with the request comes before what is wrong with the balance.
    if (refusals.length > 0) return { refusals };
    const problem = state === "CA429" ? "quota_exceeded" : "insufficient_funds";
    return { refusals: [{ place: 0, problem, existingId: null }] };
  }
}
