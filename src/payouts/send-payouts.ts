import assert from "node:assert/strict";
import { referenceKey } from "../kernel/reference-forms.ts";
import { type Acceptance, chunksOf, type Paymaster, referencesAtOnce } from "./paymaster.ts";
import type { Payout } from "./payout.ts";
import { chunksOfPlan, keyOf, type Plan } from "./plan.ts";

export interface Sending {
  readonly plan: Plan;
  /** There was not enough money for what is left. */
  readonly isOutOfFunds: boolean;
}

/**
 * Sends what the plan has not sent yet, chunk by chunk. `keep` writes the plan to disk after each. Killed at any moment and
 * begun again, it sends the last chunk once more at most, and the service knows it by its key and its references.
 */
export async function sendPayouts(
  paymaster: Paymaster,
  plan: Plan,
  payouts: readonly Payout[],
  keep: (plan: Plan) => Promise<void>,
): Promise<Sending> {
  let current = plan;
  for (const { start, payouts: chunk } of chunksOfPlan(plan, payouts)) {
    if (start < plan.sentCount) continue;
    if ((await sendChunk(paymaster, chunk)) === "insufficient_funds")
      return { plan: current, isOutOfFunds: true };
    current = { ...current, sentCount: start + chunk.length };
    await keep(current);
  }
  return { plan: current, isOutOfFunds: false };
}

/**
 * References that are used already were sent by an earlier run whose key is forgotten, or by somebody else meanwhile. Either
 * way they are not paid again: the others go without them, and the outcome tells which is which.
 */
async function sendChunk(paymaster: Paymaster, chunk: readonly Payout[]): Promise<Acceptance> {
  let left = chunk;
  while (left.length > 0) {
    const acceptance = await paymaster.send(keyOf(left), left);
    if (acceptance !== "references_used") return acceptance;
    const used = await findUsed(paymaster, left);
    assert(used.size > 0, "a batch is refused for references that somebody has");
    left = left.filter(({ reference }) => !used.has(referenceKey(reference)));
  }
  return "accepted";
}

async function findUsed(paymaster: Paymaster, payouts: readonly Payout[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (const chunk of chunksOf(payouts, referencesAtOnce))
    for (const { reference } of await paymaster.find(chunk.map((one) => one.reference)))
      used.add(referenceKey(reference));
  return used;
}
