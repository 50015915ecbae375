import type { Database, Queryable } from "../database/database.ts";
import { selectLastBefore, selectLastPosting } from "./lines-store.ts";
import {
  type EventTotals,
  kindOf,
  type LineTotals,
  lineKinds,
  type StatementRequest,
  type Sum,
} from "./statement.ts";
import { balanceOf, extendTotals, totalsUpto } from "./totals.ts";

/** What a statement says without its lines. */
export interface Summary {
  readonly after: number;
  readonly upto: number;
  readonly opening: number;
  readonly closing: number;
  readonly totals: readonly LineTotals[];
  readonly count: number;
}

const nothing: Sum = { count: 0, amount: 0, fee: 0 };

/**
 * Cuts a statement at posting numbers and sums it. Postings are numbered in the order in which they become visible and
 * are never changed, so whatever is read later up to the same number is the same, and adds up. `upto` cuts it where
 * another page of the same statement was cut.
 */
export async function summarize(
  database: Database,
  request: StatementRequest,
  upto?: number,
): Promise<Summary> {
  const { companyId, subCompanyId } = request;
  await extendTotals(database, companyId);
  const cut = await cutOf(database, request, upto);
  const before = await totalsUpto(database, companyId, subCompanyId, cut.after);
  const end = await totalsUpto(database, companyId, subCompanyId, cut.upto);
  const totals = byKind(before, end);
  return {
    ...cut,
    opening: balanceOf(before),
    closing: balanceOf(end),
    totals,
    count: totals.reduce((sum, { count }) => sum + count, 0),
  };
}

async function cutOf(
  database: Queryable,
  { companyId, period: { from, until } }: StatementRequest,
  given = Number.POSITIVE_INFINITY,
): Promise<{ readonly after: number; readonly upto: number }> {
  const last =
    until === undefined
      ? await selectLastPosting(database, companyId)
      : await selectLastBefore(database, companyId, until);
  const upto = Math.min(last, given);
  const after = from === undefined ? 0 : await selectLastBefore(database, companyId, from);
  return { after: Math.min(after, upto), upto };
}

/** What came between two sums, of the kinds that occur. */
export function byKind(before: EventTotals, end: EventTotals): LineTotals[] {
  const totals = new Map<string, Sum>();
  for (const [event, sum] of end) {
    const kind = kindOf(event);
    const less = before.get(event) ?? nothing;
    const had = totals.get(kind) ?? nothing;
    totals.set(kind, {
      count: had.count + sum.count - less.count,
      amount: had.amount + sum.amount - less.amount,
      fee: had.fee + sum.fee - less.fee,
    });
  }
  return lineKinds.flatMap((kind) => {
    const sum = totals.get(kind);
    return sum === undefined || sum.count === 0 ? [] : [{ kind, ...sum }];
  });
}
