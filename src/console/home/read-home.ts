import { countHeld } from "../../approvals/find-held.ts";
import { countWaitingProposals } from "../../approvals/find-proposals.ts";
import type { Database } from "../../database/database.ts";
import { balancesOf } from "../../ledger/post.ts";
import { StatementNotReady } from "../../statements/errors.ts";
import { readDays } from "../../statements/read-days.ts";
import type { Batch } from "../../transfers/batch.ts";
import { listBatches } from "../../transfers/find-transfers.ts";
import { type SearchSum, sumTransfers } from "../../transfers/search-transfers.ts";
import { findTroubles, type Trouble } from "../../webhooks/find-troubles.ts";
import { type DayFigures, toFigures } from "./day-figures.ts";

export const periods = [7, 30, 90] as const;
export type PeriodDays = (typeof periods)[number];

/** What failed within so many days is for somebody to look at. */
export const failureDays = 7;
const dayMs = 86_400_000;
/** What is more than this is told as more than this. */
const countedMax = 100;
/** Among the newest of these, those that are under way are shown. */
const batchesLookedAt = 100;
const batchesShown = 5;

type Counted = SearchSum & { readonly isMore: boolean };

export interface Home {
  readonly available: number;
  readonly inFlight: number;
  readonly pending: Counted;
  readonly failed: Counted;
  /** Payments that wait for another person's approval; a hundred stands for more. */
  readonly waiting: number;
  /** Payments by keys that wait for a person; a hundred stands for more. */
  readonly held: number;
  readonly troubles: readonly Trouble[];
  readonly batches: readonly Batch[];
  /** The oldest first, the last of them today; null while sums are being made. */
  readonly days: readonly DayFigures[] | null;
  /** Nothing has ever been sent or collected. */
  readonly isNew: boolean;
}

/** All that the first page shows. Each of its statements reads a bounded number of rows, however large the company is. */
export async function readHome(
  database: Database,
  now: Date,
  { companyId, timeZone }: { readonly companyId: string; readonly timeZone: string },
  dayCount: PeriodDays,
): Promise<Home> {
  const failedSince = new Date(now.getTime() - failureDays * dayMs);
  const [balances, pending, failed, waiting, held, troubles, batches, days] = await Promise.all([
    balancesOf(database, companyId),
    sumTransfers(database, companyId, { status: "pending" }, countedMax),
    sumTransfers(database, companyId, { status: "failed", createdFrom: failedSince }, countedMax),
    countWaitingProposals(database, companyId),
    countHeld(database, companyId),
    findTroubles(database, companyId),
    listBatches(database, companyId, { limit: batchesLookedAt }),
    readFigures(database, now, { companyId, timeZone }, dayCount),
  ]);
  return {
    available: balances.available,
    inFlight: balances.in_flight,
    pending,
    failed,
    waiting,
    held,
    troubles,
    batches: batches.rows.filter(({ status }) => status === "processing").slice(0, batchesShown),
    days,
    isNew: balances.paid_out === 0 && balances.in_flight === 0 && isWithoutTraffic(days),
  };
}

/** Null while very much is still to be summed. */
export async function readFigures(
  database: Database,
  now: Date,
  books: { readonly companyId: string; readonly timeZone: string },
  count: PeriodDays,
): Promise<readonly DayFigures[] | null> {
  try {
    return (await readDays(database, now, { ...books, count })).map(toFigures);
  } catch (error) {
    if (error instanceof StatementNotReady) return null;
    throw error;
  }
}

function isWithoutTraffic(days: readonly DayFigures[] | null): boolean {
  return (
    days?.every(
      ({ traffic }) =>
        traffic !== null &&
        traffic.paidIn === 0 &&
        traffic.sentOut === 0 &&
        traffic.failedCount === 0,
    ) ?? false
  );
}
