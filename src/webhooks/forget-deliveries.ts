import type { Database } from "../database/database.ts";
import { insist } from "../database/insist.ts";
import { deleteOldDeliveries, forgetMonth, makeMonths } from "./deliveries-store.ts";
import { deleteOldReplays } from "./replays-store.ts";

export const keptDays = 30;
const deletedAtOnceMax = 1_000;
const monthsAhead = 2;
const forgottenAtOnceMax = 12;
/** What is carried out of a month that leaves is copied while nobody can be told anything. */
const carriedMax = 10_000;
/** A company that repeats its old deliveries again and again keeps nobody's month for longer than this. */
const patienceDays = 120;

/**
 * Makes the tables of the months to come, and forgets those of months long gone, each at once: what was finished in them
 * 30 days ago, with its attempts. Returns what was forgotten.
 */
export async function keepDeliveryMonths(database: Database): Promise<string[]> {
  await insist((waitMs) => makeMonths(database, monthsAhead, waitMs));
  const days = { kept: keptDays, patience: patienceDays };
  const forgotten: string[] = [];
  while (forgotten.length < forgottenAtOnceMax) {
    const month = await insist((waitMs) => forgetMonth(database, days, carriedMax, waitMs));
    if (month === undefined) break;
    forgotten.push(month);
  }
  return forgotten;
}

/**
 * Deletes of one company what is in no month and has been finished for 30 days, events nobody needs any more, and replays
 * that ended as long ago. A bounded number; returns true when there may be more.
 */
export async function forgetDeliveries(database: Database, companyId: string): Promise<boolean> {
  await deleteOldReplays(database, companyId, keptDays);
  return deleteOldDeliveries(database, companyId, keptDays, deletedAtOnceMax);
}
