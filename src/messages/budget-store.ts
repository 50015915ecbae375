import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

const deletedAtOnceMax = 1_000;

export interface SpentRow {
  /** Which of the subjects, counted from 1. */
  readonly place: number;
  readonly hour_count: number;
  readonly day_count: number;
  /** Set when this subject's budget has no room; then nothing was counted, and no other row is answered. */
  readonly refused_span: "hour" | "day" | null;
  readonly retry_seconds: number | null;
}

export interface Limits {
  readonly subjects: readonly string[];
  readonly hourMax: readonly number[];
  readonly dayMax: readonly number[];
}

export async function spendMessages(tx: Tx, limits: Limits): Promise<SpentRow[]> {
  return tx.query<SpentRow>(sql`
    select place, hour_count, day_count, refused_span, retry_seconds
    from spend_messages(${limits.subjects}::text[], ${limits.hourMax}::integer[], ${limits.dayMax}::integer[])`);
}

export interface CountRow {
  readonly subject: string;
  readonly hour_count: number;
  readonly day_count: number;
  /** How long the hour and the day still last. */
  readonly hour_seconds: number;
  readonly day_seconds: number;
}

/** What was counted in the hour and the day of now. */
export async function selectCounts(
  database: Queryable,
  subjects: readonly string[],
): Promise<CountRow[]> {
  return database.query<CountRow>(sql`
    select c.subject,
      case when c.hour >= t.hour then c.hour_count else 0 end as hour_count,
      case when c.day >= t.day then c.day_count else 0 end as day_count,
      ceil(extract(epoch from t.hour + interval '1 hour' - now()))::integer as hour_seconds,
      ceil(extract(epoch from t.day + interval '1 day' - now()))::integer as day_seconds
    from message_counts c,
      (select date_trunc('hour', now(), 'UTC') as hour, date_trunc('day', now(), 'UTC') as day) t
    where c.subject = any (${subjects}::text[])`);
}

/** Deletes counts of days that are over for good, a bounded number; true when there may be more. */
export async function deleteOldCounts(database: Database): Promise<boolean> {
  const deleted = await database.execute(sql`
    delete from message_counts where day < now() - interval '2 days' and subject in (
      select subject from message_counts
      where day < now() - interval '2 days' and day > '-infinity'
      order by day limit ${deletedAtOnceMax})
    returning subject`);
  return deleted.length === deletedAtOnceMax;
}
