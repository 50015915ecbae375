import type { RecipientCheck } from "../../customers/check-customer.ts";
import { formatAmount } from "../../pages/format.ts";
import type { FrameWords } from "../words/frame.ts";
import type { NewTransferWords } from "../words/new-transfer.ts";

/** A sentence about the recipient, to be shown as a notice. */
export interface RecipientNote {
  readonly kind: "good" | "warn" | "bad";
  readonly text: string;
}

/** Whom the money would reach, and what stands in its way. An amount that nobody can read yet is not judged. */
export function describeRecipient(
  frame: FrameWords,
  review: NewTransferWords["review"],
  check: Omit<RecipientCheck, "msisdn">,
  { amount, isCompleted }: { readonly amount: number | undefined; readonly isCompleted: boolean },
): RecipientNote[] {
  const notes = [whoIsThere(review, check)];
  const { amountMax, kycStatus } = check;
  if (kycStatus !== "unknown" && amountMax !== null && amount !== undefined && amount > amountMax)
    notes.push({ kind: "bad", text: review.overLimit(formatAmount(frame, amountMax)) });
  if (isCompleted) notes.push({ kind: "warn", text: review.completed });
  return notes;
}

function whoIsThere(
  review: NewTransferWords["review"],
  { kycStatus, firstName, lastName }: Omit<RecipientCheck, "msisdn">,
): RecipientNote {
  const name = `${firstName} ${lastName}`;
  if (kycStatus === "unknown") return { kind: "bad", text: review.unknown };
  return kycStatus === "complete"
    ? { kind: "good", text: review.known(name) }
    : { kind: "warn", text: review.notIdentified(name) };
}
