import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Posting } from "./posting.ts";

const columns = sql`
  number, event, subject_id as "subjectId", debit_account as debit, credit_account as credit, amount,
  available_after as "availableAfter", created_at as "createdAt"`;

/** The newest first, below a number. */
export async function selectPostingPage(
  database: Queryable,
  companyId: string,
  before: number,
  limit: number,
): Promise<Posting[]> {
  return database.query<Posting>(sql`
    select ${columns} from postings
    where company_id = ${companyId} and number < ${before} order by number desc limit ${limit}`);
}

export async function selectLastPosting(database: Queryable, companyId: string): Promise<number> {
  const rows = await database.query<{ number: number }>(sql`
    select number from postings where company_id = ${companyId} order by number desc limit 1`);
  return rows[0]?.number ?? 0;
}

export async function selectPostingTime(
  database: Queryable,
  companyId: string,
  number: number,
): Promise<Date | undefined> {
  const rows = await database.query<{ created_at: Date }>(sql`
    select created_at from postings where company_id = ${companyId} and number = ${number}`);
  return rows[0]?.created_at;
}

/** Of these subjects, among the numbers from one up to another, which is not part of it. */
export async function selectPostingsOf(
  database: Queryable,
  companyId: string,
  subjectIds: readonly string[],
  range: { readonly from: number; readonly before: number },
): Promise<Posting[]> {
  return database.query<Posting>(sql`
    select ${columns} from postings
    where company_id = ${companyId} and number >= ${range.from} and number < ${range.before}
      and subject_id = any (${subjectIds}::uuid[])
    order by number`);
}
