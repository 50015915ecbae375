import { checkAmounts, checkHistory, checkRecipients } from "./check-payouts.ts";
import type { Finding } from "./findings.ts";
import type { Account, Paymaster } from "./paymaster.ts";
import type { Draft } from "./read-payouts.ts";
import { checkBalance, largestOf, type Review, reviewPayouts } from "./review.ts";

/** A file that was read and checked: what would be paid, and what is wrong. */
export interface Preparation {
  readonly review: Review;
  readonly findings: readonly Finding[];
  /** Lines of rows for people who are not fully identified. */
  readonly notIdentified: readonly number[];
  /** Whether some or all of it was sent before: going on pays nobody twice. */
  readonly isContinued: boolean;
  /** Names of those who get most, by number. */
  readonly names: ReadonlyMap<string, string>;
}

type Stage = "history" | "recipients";

export interface PrepareOptions {
  /** A plan says that this file was begun: it was checked then, and its references are used by itself. */
  readonly isBegun: boolean;
  readonly onProgress?: (stage: Stage, done: number, total: number) => void;
}

/** Asks the service about everything that can be known before money moves. Nothing is sent. */
export async function preparePayouts(
  paymaster: Paymaster,
  account: Account,
  { payouts, findings: found }: Draft,
  { isBegun, onProgress = () => {} }: PrepareOptions,
): Promise<Preparation> {
  const review = reviewPayouts(account, await paymaster.balance(), payouts);
  const names = new Map<string, string>();
  const plain = { review, names, notIdentified: [], isContinued: isBegun };
  if (isBegun) return { ...plain, findings: found };

  const total = payouts.length;
  const history = await checkHistory(paymaster, payouts, (done) =>
    onProgress("history", done, total),
  );
  const isContinued = history.sentCount > 0;
  if (isContinued) return { ...plain, findings: [...found, ...history.findings], isContinued };
  const shown = new Set(largestOf(payouts).map(({ msisdn }) => msisdn));
  const recipients = await checkRecipients(
    paymaster,
    payouts,
    (done) => onProgress("recipients", done, total),
    ({ msisdn, firstName, lastName }) => {
      if (shown.has(msisdn)) names.set(msisdn, `${firstName} ${lastName}`);
    },
  );
  const findings = [
    ...found,
    ...checkAmounts(account, payouts),
    ...history.findings,
    ...recipients.findings,
    ...checkBalance(review),
  ].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  return { ...plain, findings, notIdentified: recipients.notIdentified };
}
