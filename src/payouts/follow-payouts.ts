import { setTimeout as sleep } from "node:timers/promises";
import { referenceKey } from "../kernel/reference-forms.ts";
import { chunksOf, type Paymaster, referencesAtOnce, type SentPayout } from "./paymaster.ts";
import type { Payout } from "./payout.ts";

/** What became of a row. */
export interface PayoutOutcome {
  readonly id: string | null;
  readonly status: "completed" | "failed" | "pending" | "not_sent";
  readonly reason: string | null;
  readonly fee: number | null;
  readonly time: string | null;
}

/** Why a row was not sent: its reference belongs to a transfer of another amount or to another person. */
export const referenceTaken = "REFERENCE_USED_BY_ANOTHER";

const lookEveryMs = 500;
/** For as long as nothing ends, which it does at once unless the service has no worker. */
const patienceMs = 120_000;

export const notSent: PayoutOutcome = {
  id: null,
  status: "not_sent",
  reason: null,
  fee: null,
  time: null,
};

/** The outcome of each payout, in their order; waits for what is still pending, but not for ever. */
export async function* followPayouts(
  paymaster: Paymaster,
  payouts: readonly Payout[],
  { waitMs = patienceMs }: { readonly waitMs?: number } = {},
): AsyncGenerator<PayoutOutcome> {
  let quietSince = performance.now();
  for (const chunk of chunksOf(payouts, referencesAtOnce)) {
    let pendingBefore = Number.POSITIVE_INFINITY;
    for (;;) {
      const sent = await findSent(paymaster, chunk);
      const pending = [...sent.values()].filter(({ status }) => status === "pending").length;
      if (pending < pendingBefore) quietSince = performance.now();
      pendingBefore = pending;
      if (pending === 0 || performance.now() - quietSince > waitMs) {
        for (const payout of chunk)
          yield outcomeOf(payout, sent.get(referenceKey(payout.reference)));
        break;
      }
      await sleep(lookEveryMs);
    }
  }
}

async function findSent(
  paymaster: Paymaster,
  chunk: readonly Payout[],
): Promise<ReadonlyMap<string, SentPayout>> {
  const found = await paymaster.find(chunk.map(({ reference }) => reference));
  return new Map(found.map((sent) => [referenceKey(sent.reference), sent]));
}

export function outcomeOf(payout: Payout, sent: SentPayout | undefined): PayoutOutcome {
  if (sent === undefined) return notSent;
  if (sent.msisdn !== payout.msisdn || sent.amount !== payout.amount)
    return { ...notSent, reason: referenceTaken };
  return {
    id: sent.id,
    status: sent.status,
    reason: sent.failureReason,
    // What fails gives its fee back.
    fee: sent.status === "failed" ? 0 : sent.fee,
    time: sent.updatedAt,
  };
}
