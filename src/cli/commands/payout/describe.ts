import { spellMsisdn } from "../../../kernel/countries.ts";
import { toVisible } from "../../../kernel/visible.ts";
import type { Finding } from "../../../payouts/findings.ts";
import type { PayoutOutcome } from "../../../payouts/follow-payouts.ts";
import type { LeftOut } from "../../../payouts/leave-out.ts";
import type { Account } from "../../../payouts/paymaster.ts";
import type { Plan } from "../../../payouts/plan.ts";
import type { Preparation } from "../../../payouts/prepare-payouts.ts";
import type { Draft, Readings } from "../../../payouts/read-payouts.ts";
import { Clock } from "../../clock.ts";
import { counted } from "../../counted.ts";
import { toFrancs, toTable } from "../../table.ts";

interface Shown {
  readonly file: string;
  readonly draft: Draft;
  readonly account: Account;
  readonly begun: Plan | undefined;
}

/** How many rows ended how. */
export type OutcomeCounts = Record<PayoutOutcome["status"], number>;

export function countOutcomes(): OutcomeCounts {
  return { completed: 0, failed: 0, pending: 0, not_sent: 0 };
}

/** Of what was read in another way than it was typed, so many are shown; JSON has more. */
const readingsShown = 10;

export function describeFindings(file: string, findings: readonly Finding[]): string {
  const rows = new Set(findings.map(({ line }) => line)).size;
  return [
    ...findings.map(({ line, message }) =>
      toVisible(`${line === null ? "the file" : `line ${line}`}: ${message.en}`),
    ),
    "",
    `${counted(findings.length, "problem")} in ${counted(rows, "row")} of ${toVisible(file)}. Nothing was sent. Mend them and run the command again.`,
  ].join("\n");
}

export function describeReview(
  { file, draft, account, begun }: Shown,
  { review, names, notIdentified, isContinued, leftOut, leftOutFindings }: Preparation,
): string {
  return [
    `${toVisible(file)}, paid from ${toVisible(account.name)} (${account.companyId})`,
    ...(isContinued ? [continuation(begun, new Clock(account.timeZone))] : []),
    ...leftOutRows(leftOut, leftOutFindings),
    ...readings(draft.completedPhones, (count) => {
      const what = counted(count, "phone number", "was", "were");
      return `${what} completed with +${account.country.callingCode}:`;
    }),
    ...readings(draft.readAmounts, (count) => `${counted(count, "amount", "was", "were")} read:`),
    ...(notIdentified.length === 0
      ? []
      : [
          `${counted(notIdentified.length, "row", "is", "are")} for people who are not fully identified (KYC).`,
        ]),
    "",
    toTable([
      ["transfers", String(review.count)],
      ["total", toFrancs(review.total)],
      ["fees", toFrancs(review.fees)],
      ["balance now", toFrancs(review.balance)],
      // What was sent before has left the balance already; how much that is shows at the end.
      ...(isContinued ? [] : [["balance after", toFrancs(review.balanceAfter)]]),
    ]),
    "",
    "The largest:",
    toTable(
      review.largest.map(({ line, msisdn, amount }) => [
        `  line ${line}`,
        toFrancs(amount),
        spellMsisdn(msisdn),
        names.get(msisdn) ?? "",
      ]),
    ),
  ].join("\n");
}

export function continuation(begun: Plan | undefined, clock: Clock): string {
  if (begun === undefined)
    return "This file was sent before, wholly or in part. Who was paid is not paid again.";
  const { sentCount, count, endedAt } = begun;
  const startedAt = clock.spell(new Date(begun.startedAt));
  return endedAt === null
    ? `This file was begun on ${startedAt}: ${sentCount} of ${count} rows are sent. It goes on there.`
    : `This file was paid on ${startedAt}. Nobody is paid again.`;
}

/** Each of them is named: who is not on the list is paid. */
function leftOutRows(leftOut: LeftOut, findings: readonly Finding[]): string[] {
  const lines = Object.entries(leftOut);
  if (lines.length === 0) return [];
  const messagesOf = (line: string, reason: string) => {
    const found = findings.filter((finding) => String(finding.line) === line);
    return found.length === 0 ? [reason] : found.map(({ message }) => message.en);
  };
  return [
    `${counted(lines.length, "row", "is", "are")} left out:`,
    ...lines.flatMap(([line, reason]) =>
      messagesOf(line, reason).map((message) => `  line ${line}: ${toVisible(message)}`),
    ),
  ];
}

function readings({ count, first }: Readings, describe: (count: number) => string): string[] {
  if (count === 0) return [];
  const shown = first.slice(0, readingsShown);
  return [
    describe(count),
    ...shown.map(({ line, typed, read }) => `  line ${line}: ${toVisible(typed)} → ${read}`),
    ...(count > shown.length
      ? [`  and ${count - shown.length} more (--json has the first thousand)`]
      : []),
  ];
}

export function describeRun(
  counts: OutcomeCounts,
  output: string,
  run: {
    readonly isOutOfFunds: boolean;
    /** The commands that may come next. */
    readonly again: string;
    readonly retry: string;
    readonly leftOutCount: number;
    /** When it was paid to its end before, so that nothing was sent now. */
    readonly paidBefore?: string | undefined;
  },
): string {
  const { isOutOfFunds, leftOutCount, paidBefore } = run;
  const { completed, failed, pending, not_sent: notSent } = counts;
  return [
    ...(paidBefore === undefined ? [] : [paidBefore]),
    `${completed} paid, ${failed} failed, ${pending} pending, ${notSent} not sent. What became of each row: ${toVisible(output)}`,
    ...(isOutOfFunds
      ? [
          `The balance is too low for the rest. Fund the account and run it again, nobody is paid twice: ${run.again}`,
        ]
      : []),
    ...(leftOutCount === 0
      ? []
      : [
          `${counted(leftOutCount, "row", "was", "were")} left out because of what is wrong there. Put what was left out, mended, into a new file of its own.`,
        ]),
    ...(failed === 0 ? [] : [`For a new draft of what failed: ${run.retry}`]),
  ].join("\n");
}

/** What --json prints. */
export function toJson(
  { file, draft, account, begun }: Shown,
  { review, findings, notIdentified, isContinued, leftOut }: Preparation,
) {
  return {
    file,
    sha256: draft.fileHash,
    companyId: account.companyId,
    ...review,
    isContinued,
    leftOut: Object.entries(leftOut).map(([line, reason]) => ({ line: Number(line), reason })),
    sentBefore: begun?.sentCount ?? null,
    completedPhones: draft.completedPhones,
    readAmounts: draft.readAmounts,
    notIdentified,
    findings: findings.map(({ message, ...finding }) => ({ ...finding, message: message.en })),
  };
}
