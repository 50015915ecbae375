import { checkAmounts, checkHistory, checkRecipients } from "./check-payouts.ts";
import { byLine, type Finding, findings as problems } from "./findings.ts";
import { isLeftOut, type LeftOut, leaveOut, leftOutMax, withoutLeftOut } from "./leave-out.ts";
import type { Account, Inquiry } from "./paymaster.ts";
import type { Payout } from "./payout.ts";
import type { Plan } from "./plan.ts";
import type { Draft } from "./read-payouts.ts";
import { checkBalance, largestOf, type Review, reviewPayouts } from "./review.ts";

/** A file that was read and checked: what would be paid, and what is wrong. */
export interface Preparation {
  readonly review: Review;
  /** The rows that would be paid. */
  readonly payouts: readonly Payout[];
  readonly leftOut: LeftOut;
  /** What is wrong with the rows that are left out. */
  readonly leftOutFindings: readonly Finding[];
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
  /** Of this file, which was checked when it was begun: references that are used are its own, and what it leaves out stays out. */
  readonly begun?: Plan | undefined;
  /** Rows with something wrong are left out, instead of being mended first. */
  readonly skipInvalid?: boolean;
  readonly onProgress?: (stage: Stage, done: number, total: number) => void;
}

/** Asks the service about everything that can be known before money moves. Nothing is sent. */
export async function preparePayouts(
  paymaster: Inquiry,
  account: Account,
  draft: Draft,
  { begun, skipInvalid = false, onProgress = () => {} }: PrepareOptions,
): Promise<Preparation> {
  const balance = await paymaster.balance();
  const names = new Map<string, string>();
  const prepare = (
    rowFindings: readonly Finding[],
    leftOut: LeftOut,
    more: Pick<Preparation, "isContinued"> & Partial<Preparation>,
  ): Preparation => {
    const payouts = withoutLeftOut(draft.payouts, leftOut);
    const review = reviewPayouts(account, balance, payouts);
    const isOut = ({ line }: Finding) => isLeftOut(leftOut, line);
    const leftOutFindings = rowFindings.filter(isOut).toSorted(byLine);
    const findings = [
      ...rowFindings.filter((finding) => !isOut(finding)),
      ...(payouts.length === 0 && leftOutFindings.length > 0 ? [problems.noRows()] : []),
      // What was sent before has left the balance already.
      ...(more.isContinued ? [] : checkBalance(review)),
    ].toSorted(byLine);
    return {
      names,
      notIdentified: [],
      review,
      payouts,
      leftOut,
      leftOutFindings,
      findings,
      ...more,
    };
  };
  if (begun !== undefined)
    return prepare(draft.findings, begun.leftOut ?? {}, { isContinued: true });

  const choose = (found: readonly Finding[]): readonly [readonly Finding[], LeftOut] => {
    if (!skipInvalid || draft.columns === undefined) return [found, {}];
    const leftOut = leaveOut(found.filter(({ line }) => line !== null));
    const count = Object.keys(leftOut).length;
    return count > leftOutMax
      ? [[...found, problems.tooManyWrong(count, leftOutMax)], {}]
      : [found, leftOut];
  };
  const total = draft.payouts.length;
  const history = await checkHistory(paymaster, draft.payouts, (done) =>
    onProgress("history", done, total),
  );
  const known = [...draft.findings, ...history.findings];
  if (history.sentCount > 0) return prepare(...choose(known), { isContinued: true });
  const shown = new Set(largestOf(draft.payouts).map(({ msisdn }) => msisdn));
  const recipients = await checkRecipients(
    paymaster,
    draft.payouts,
    (done) => onProgress("recipients", done, total),
    ({ msisdn, firstName, lastName }) => {
      // Who is left out may be among the largest: then others are.
      if (skipInvalid || shown.has(msisdn)) names.set(msisdn, `${firstName} ${lastName}`);
    },
  );
  const found = [...known, ...checkAmounts(account, draft.payouts), ...recipients.findings];
  const { notIdentified } = recipients;
  const [rowFindings, leftOut] = choose(found);
  return prepare(rowFindings, leftOut, {
    isContinued: false,
    notIdentified: notIdentified.filter((line) => !isLeftOut(leftOut, line)),
  });
}
