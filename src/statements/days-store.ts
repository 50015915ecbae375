import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { EventTotals } from "./statement.ts";
import { type StoredSums, toEventTotals } from "./totals-store.ts";

/** A day that is sealed: where it ended. */
export interface SealedDay {
  /** Such as 2026-01-31, in the company's time zone. */
  readonly day: string;
  /** Of its last posting. */
  readonly number: number;
  /** What was available at its end. */
  readonly balance: number;
  /** Of all lines up to its end, whatever day they are of; null while they are not kept. */
  readonly totals: EventTotals | null;
}

type DayRow = Omit<SealedDay, "totals"> & {
  readonly [Column in keyof StoredSums]: StoredSums[Column] | null;
};

/** In the same transaction as the day's seal, or later for a day that was sealed without. */
export async function insertDayTotals(
  tx: Tx,
  companyId: string,
  day: string,
  totals: EventTotals,
): Promise<void> {
  const sums = [...totals.values()];
  await tx.query(sql`
    insert into day_totals as d (company_id, day, events, counts, amounts, fees)
    select c.company_id, ${day}::date, ${[...totals.keys()]}::text[], ${sums.map(({ count }) => count)}::bigint[],
      ${sums.map(({ amount }) => amount)}::bigint[], ${sums.map(({ fee }) => fee)}::bigint[]
    from companies c where c.company_id = ${companyId}
    on conflict do nothing`);
}

/** The newest sealed days up to one, newest first. */
export async function selectDays(
  database: Queryable,
  companyId: string,
  upto: string,
  limit: number,
): Promise<SealedDay[]> {
  const rows = await database.query<DayRow>(sql`
    select s.day::text as day, s.number, s.balance, d.events, d.counts, d.amounts, d.fees
    from (
      select i.day, i.number, i.balance from seals i
      where i.company_id = ${companyId} and i.day <= ${upto}::date
      order by i.day desc limit ${limit}
    ) as s
    left join lateral (
      select i.events, i.counts, i.amounts, i.fees from day_totals i
      where i.company_id = ${companyId} and i.day = s.day limit 1
    ) as d on true
    order by s.day desc`);
  return rows.map(({ day, number, balance, events, counts, amounts, fees }) => ({
    day,
    number,
    balance,
    totals:
      events === null || counts === null || amounts === null || fees === null
        ? null
        : toEventTotals({ events, counts, amounts, fees }),
  }));
}

/** Those of the newest sealed days that have no sums. */
export async function selectUnkeptDays(
  database: Queryable,
  companyId: string,
  limit: number,
): Promise<{ readonly day: string; readonly number: number }[]> {
  return database.query(sql`
    select s.day::text as day, s.number
    from (
      select i.day, i.number from seals i where i.company_id = ${companyId} order by i.day desc limit ${limit}
    ) as s
    where not exists (select 1 from day_totals d where d.company_id = ${companyId} and d.day = s.day)`);
}
