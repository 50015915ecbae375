import type { Queryable } from "../database/database.ts";
import { numberAt } from "../database/number-at.ts";
import type { Posting } from "./posting.ts";
import {
  selectLastPosting,
  selectPostingPage,
  selectPostingsOf,
  selectPostingTime,
} from "./postings-store.ts";

/** A posting bears the time of what it was for, give or take a large set and a clock that was set back. */
const apartMs = 61_000;

/** A company's postings, the newest first, below a number. */
export async function listPostings(
  database: Queryable,
  companyId: string,
  {
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: { readonly before?: number | undefined; readonly limit: number },
): Promise<Posting[]> {
  return selectPostingPage(database, companyId, before, limit);
}

/** When a company's posting was made; undefined when it has none with this number. */
export async function findPostingTime(
  database: Queryable,
  companyId: string,
  number: number,
): Promise<Date | undefined> {
  return selectPostingTime(database, companyId, number);
}

/** What was posted for these subjects around these moments. Postings have no index of subjects, but they are in order of time. */
export async function findPostings(
  database: Queryable,
  companyId: string,
  subjectIds: readonly string[],
  moments: readonly Date[],
): Promise<Posting[]> {
  const last = await selectLastPosting(database, companyId);
  const at = (ms: number) =>
    numberAt(last, new Date(ms), (number) => selectPostingTime(database, companyId, number));
  const found = new Map<number, Posting>();
  for (const moment of moments) {
    const range = {
      from: await at(moment.getTime() - apartMs),
      before: await at(moment.getTime() + apartMs),
    };
    for (const posting of await selectPostingsOf(database, companyId, subjectIds, range))
      found.set(posting.number, posting);
  }
  return [...found.values()].toSorted((one, other) => one.number - other.number);
}
