import type { Database, Queryable } from "../database/database.ts";
import { StatementNotReady } from "./errors.ts";
import { type EventSum, piecesOf, selectLastPosting, sumLines } from "./lines-store.ts";
import type { EventTotals, Sum } from "./statement.ts";
import {
  insertTotals,
  lockProgress,
  selectLatestTotals,
  selectTotalledTo,
  type TotalsRow,
  updateTotalledTo,
  wholeCompany,
} from "./totals-store.ts";

/** Sums are kept at every thousandth posting: what a statement has to walk is shorter than that. */
export const stretchSize = 1_000;
/** Of one transaction. */
const stretchesMax = 20;

/** The number is where its stretch ends. */
type StretchSum = EventSum & { readonly number: number };

const nothing: Sum = { count: 0, amount: 0, fee: 0 };

/** Sums a bounded part of what a company has posted since it was summed last. Answers whether more is left. */
export async function extendTotals(database: Database, companyId: string): Promise<boolean> {
  if (!(await isBehind(database, companyId))) return false;
  return database.transaction(async (tx) => {
    const { totalled_to: after } = await lockProgress(tx, companyId);
    const last = wholeStretches(await selectLastPosting(tx, companyId));
    const upto = Math.min(last, after + stretchesMax * stretchSize);
    if (upto <= after) return false;
    const sums: StretchSum[] = [];
    for (const stretch of piecesOf({ after, upto }, stretchSize))
      for (const sum of await sumLines(tx, companyId, stretch))
        sums.push({ ...sum, number: stretch.upto });
    const concerned = new Set([wholeCompany, ...sums.flatMap((sum) => sum.sub_company_id ?? [])]);
    const before = await selectLatestTotals(tx, companyId, [...concerned], after);
    await insertTotals(tx, companyId, addUp(before, sums));
    await updateTotalledTo(tx, companyId, upto);
    return upto < last;
  });
}

async function isBehind(database: Queryable, companyId: string): Promise<boolean> {
  const last = wholeStretches(await selectLastPosting(database, companyId));
  return last > (await selectTotalledTo(database, companyId));
}

/**
 * What all lines up to a number sum to, of the company or of one of its sub-companies. Exact at any moment: what is not
 * kept as a sum yet is walked. Throws StatementNotReady when that is too far.
 */
export async function totalsUpto(
  database: Queryable,
  companyId: string,
  subCompanyId: string | undefined,
  number: number,
): Promise<EventTotals> {
  const scope = subCompanyId ?? wholeCompany;
  const totals = await totalsOfEach(database, companyId, [scope], number);
  return totals.get(scope) ?? new Map<string, Sum>();
}

/** The same for several sub-companies at once, with one walk for all of them. One that has no lines is not in it. */
export async function totalsOfEach(
  database: Queryable,
  companyId: string,
  scopes: readonly string[],
  number: number,
): Promise<Map<string, EventTotals>> {
  const base = Math.min(wholeStretches(number), await selectTotalledTo(database, companyId));
  if (number - base > (stretchesMax + 1) * stretchSize) throw new StatementNotReady();
  const kept = await selectLatestTotals(database, companyId, scopes, base);
  const totals = new Map(kept.map((row) => [row.subCompanyId, row.totals]));
  const wanted = new Set(scopes);
  for (const stretch of piecesOf({ after: base, upto: number }, stretchSize))
    for (const sum of await sumLines(database, companyId, stretch))
      for (const scope of [wholeCompany, sum.sub_company_id])
        if (scope !== null && wanted.has(scope))
          totals.set(scope, plus(totals.get(scope) ?? new Map<string, Sum>(), sum.event, sum));
  return totals;
}

export function balanceOf(totals: EventTotals): number {
  return [...totals.values()].reduce((balance, { amount }) => balance + amount, 0);
}

function wholeStretches(number: number): number {
  return Math.floor(number / stretchSize) * stretchSize;
}

/** The rows to keep: what was there before, and on top of it stretch by stretch what came. */
function addUp(before: readonly TotalsRow[], sums: readonly StretchSum[]): TotalsRow[] {
  const latest = new Map(before.map((row) => [row.subCompanyId, row.totals]));
  const rows = new Map<string, TotalsRow>();
  for (const sum of sums) {
    const scopes =
      sum.sub_company_id === null ? [wholeCompany] : [wholeCompany, sum.sub_company_id];
    for (const subCompanyId of scopes) {
      const totals = plus(latest.get(subCompanyId) ?? new Map<string, Sum>(), sum.event, sum);
      latest.set(subCompanyId, totals);
      const { number } = sum;
      rows.set(`${subCompanyId} ${number}`, { subCompanyId, number, totals });
    }
  }
  return [...rows.values()];
}

function plus(totals: EventTotals, event: string, more: Sum): EventTotals {
  const had = totals.get(event) ?? nothing;
  return new Map(totals).set(event, {
    count: had.count + more.count,
    amount: had.amount + more.amount,
    fee: had.fee + more.fee,
  });
}
