import type { Database, Queryable } from "../database/database.ts";
import { dayBefore, dayOf, startOfDay } from "../kernel/days.ts";
import { type SealedDay, selectDays } from "./days-store.ts";
import { selectLastBefore } from "./lines-store.ts";
import { byKind } from "./read-head.ts";
import { selectSealable } from "./seals-store.ts";
import type { EventTotals, LineTotals } from "./statement.ts";
import { balanceOf, extendTotals, totalsUpto } from "./totals.ts";

/** What happened on one day, and what was left at its end. Of today: so far. */
export interface DayOfBooks {
  readonly day: string;
  /** Null before the first day of the books. */
  readonly balance: number | null;
  /** Of the kinds that occur; null where the sums of the day are not kept. */
  readonly totals: readonly LineTotals[] | null;
}

export interface DaysRequest {
  readonly companyId: string;
  readonly timeZone: string;
  /** So many days, the last of which is today. */
  readonly count: number;
}

/** A moment at which a day ended: what had been posted until then. */
interface DayEnd {
  readonly day: string;
  readonly balance: number;
  readonly totals: EventTotals | null;
}

const nothing: EventTotals = new Map();

/**
 * The last days of a company's books, the oldest first. Days that are over are read from what was kept when they were
 * sealed; today, and a day that is about to be sealed, from the sums of statements. Throws StatementNotReady while very
 * much is still to be summed.
 */
export async function readDays(
  database: Database,
  now: Date,
  { companyId, timeZone, count }: DaysRequest,
): Promise<DayOfBooks[]> {
  await extendTotals(database, companyId);
  const days = lastDays(dayOf(now, timeZone), count);
  const today = days.at(-1) ?? "";
  const books = await selectSealable(database, companyId);
  // One more than the days: the end of the day before the first of them is where that one began.
  const sealed = await selectDays(database, companyId, dayBefore(today), count + 1);
  const current = await endsOfCurrent(database, companyId, {
    today,
    begins: startOfDay(today, timeZone),
    last: sealed[0],
    lastPosting: books?.last_posting ?? 0,
  });
  const ends = [...sealed.toReversed(), ...current];
  // Where all that was ever sealed is here, nothing was before; unless there are postings older than the chain.
  const isWhole = sealed.length <= count && (books?.chained_after ?? 0) === 0;
  return days.map((day) => figuresOf(day, ends, isWhole));
}

/** The end of today, which is now, and that of the day before where it is not sealed yet. */
async function endsOfCurrent(
  database: Queryable,
  companyId: string,
  {
    today,
    begins,
    last,
    lastPosting,
  }: {
    readonly today: string;
    readonly begins: Date;
    readonly last: SealedDay | undefined;
    readonly lastPosting: number;
  },
): Promise<DayEnd[]> {
  const endAt = async (day: string, number: number): Promise<DayEnd> => {
    const totals = await totalsUpto(database, companyId, undefined, number);
    return { day, balance: balanceOf(totals), totals };
  };
  const before = await selectLastBefore(database, companyId, begins);
  const isSealed = before <= (last?.number ?? 0);
  return [
    ...(isSealed ? [] : [await endAt(dayBefore(today), before)]),
    await endAt(today, Math.max(before, lastPosting)),
  ];
}

function figuresOf(day: string, ends: readonly DayEnd[], isWhole: boolean): DayOfBooks {
  const place = ends.findLastIndex((end) => end.day <= day);
  const end = ends[place];
  if (end === undefined) return { day, balance: null, totals: isWhole ? [] : null };
  if (end.day < day) return { day, balance: end.balance, totals: [] };
  const before = place > 0 ? ends[place - 1]?.totals : isWhole ? nothing : null;
  const totals = end.totals === null || before == null ? null : byKind(before, end.totals);
  return { day, balance: end.balance, totals };
}

function lastDays(today: string, count: number): string[] {
  const days: string[] = [];
  for (let day = today; days.length < count; day = dayBefore(day)) days.unshift(day);
  return days;
}
