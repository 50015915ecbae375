import type { Finding } from "./findings.ts";
import type { Payout } from "./payout.ts";

/** Lines of rows that are not paid because something is wrong with them, and what: codes of findings, in capitals. */
export type LeftOut = Readonly<Record<string, string>>;

/** Where so much is wrong, a column is probably not what it was taken for. */
export const leftOutMax = 1_000;

/** Everything that was found is of a row. */
export function leaveOut(findings: readonly Finding[]): LeftOut {
  const reasons: Record<string, string> = {};
  for (const { line, code } of findings) {
    const before = reasons[String(line)];
    const reason = code.toUpperCase();
    reasons[String(line)] = before === undefined ? reason : `${before} ${reason}`;
  }
  return reasons;
}

export function isLeftOut(leftOut: LeftOut, line: number | null): boolean {
  return line !== null && leftOut[line] !== undefined;
}

export function withoutLeftOut(payouts: readonly Payout[], leftOut: LeftOut): readonly Payout[] {
  return payouts.filter(({ line }) => !isLeftOut(leftOut, line));
}
