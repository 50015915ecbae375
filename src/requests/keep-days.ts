import type { Database } from "../database/database.ts";
import { insist } from "../database/insist.ts";
import { deleteStrayRequests, forgetDay, makeDays } from "./store.ts";

const keptDays = 7;
const daysAhead = 2;
const forgottenAtOnceMax = 30;
const strayAtOnce = 1_000;

/** Makes the tables of the days to come, and drops those of days that ended a week ago. Returns what was dropped. */
export async function keepRequestDays(database: Database): Promise<string[]> {
  await insist((waitMs) => makeDays(database, daysAhead, waitMs));
  const forgotten: string[] = [];
  while (forgotten.length < forgottenAtOnceMax) {
    const day = await insist((waitMs) => forgetDay(database, keptDays, waitMs));
    if (day === undefined) break;
    forgotten.push(day);
  }
  return forgotten;
}

/** Forgets what a company asked while the table of its day was missing. A bounded number; true when there may be more. */
export async function forgetStrayRequests(database: Database, companyId: string): Promise<boolean> {
  return (await deleteStrayRequests(database, companyId, keptDays, strayAtOnce)) === strayAtOnce;
}
