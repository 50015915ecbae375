import type { DayOfBooks } from "../../statements/read-days.ts";
import type { LineKind, LineTotals } from "../../statements/statement.ts";

/** What a day is drawn from. */
export interface DayFigures {
  readonly day: string;
  /** At its end; null before the first day of the books. */
  readonly balance: number | null;
  /** Null where the sums of the day are not kept. */
  readonly traffic: Traffic | null;
}

/** Without fees. */
export interface Traffic {
  /** What payers paid. */
  readonly paidIn: number;
  readonly paidInCount: number;
  /** What was sent and did not come back. */
  readonly sentOut: number;
  readonly sentOutCount: number;
  readonly failedCount: number;
  /** Fees paid, less those given back. */
  readonly fees: number;
}

const nothing = { count: 0, amount: 0, fee: 0 };

export function toFigures({ day, balance, totals }: DayOfBooks): DayFigures {
  return { day, balance, traffic: totals === null ? null : toTraffic(totals) };
}

function toTraffic(totals: readonly LineTotals[]): Traffic {
  const of = (kind: LineKind) => totals.find((one) => one.kind === kind) ?? nothing;
  // An amount is signed and has the fee in it; with the fee added it is what moved.
  const moved = (kind: LineKind) => of(kind).amount + of(kind).fee;
  const [sent, returned, paid] = [of("transfer"), of("transfer_returned"), of("payment")];
  return {
    paidIn: moved("payment"),
    paidInCount: paid.count,
    // What came back today may have been sent yesterday, in the last seconds before midnight.
    sentOut: Math.max(0, -moved("transfer") - moved("transfer_returned")),
    sentOutCount: Math.max(0, sent.count - returned.count),
    failedCount: returned.count,
    fees: totals.reduce((sum, { fee }) => sum + fee, 0),
  };
}

/** Below so many, a rate says little. */
export const rateCountMin = 20;

/** How many of a hundred transfers of a day arrived; undefined on a day without any. */
export function successOf({ sentOutCount, failedCount }: Traffic): number | undefined {
  const count = sentOutCount + failedCount;
  return count === 0 ? undefined : (100 * sentOutCount) / count;
}
