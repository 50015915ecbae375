import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { EventTotals } from "./statement.ts";

/** Stands for the company as a whole. */
export const wholeCompany = "00000000-0000-0000-0000-000000000000";

export interface TotalsRow {
  readonly subCompanyId: string;
  readonly number: number;
  readonly totals: EventTotals;
}

/** Sums by event, as they are kept. Arrays of bigint come as texts. */
export interface StoredSums {
  readonly events: readonly string[];
  readonly counts: readonly string[];
  readonly amounts: readonly string[];
  readonly fees: readonly string[];
}

interface StoredTotals extends StoredSums {
  readonly sub_company_id: string;
  readonly number: number;
}

/** The row is the lock: until the commit nobody else sums or seals this company. */
export async function lockProgress(
  tx: Tx,
  companyId: string,
): Promise<{ readonly totalled_to: number }> {
  await tx.query(sql`
    insert into statement_progress as s (company_id)
    select c.company_id from companies c where c.company_id = ${companyId}
    on conflict (company_id) do nothing`);
  const rows = await tx.query<{ totalled_to: number }>(sql`
    select totalled_to from statement_progress where company_id = ${companyId} for update`);
  return rows[0] ?? { totalled_to: 0 };
}

export async function selectTotalledTo(database: Queryable, companyId: string): Promise<number> {
  const rows = await database.query<{ totalled_to: number }>(sql`
    select totalled_to from statement_progress where company_id = ${companyId}`);
  return rows[0]?.totalled_to ?? 0;
}

export async function updateTotalledTo(tx: Tx, companyId: string, number: number): Promise<void> {
  await tx.query(sql`
    update statement_progress set totalled_to = ${number} where company_id = ${companyId}`);
}

/** What was summed last for each of these sub-companies, up to a number. */
export async function selectLatestTotals(
  database: Queryable,
  companyId: string,
  subCompanyIds: readonly string[],
  number: number,
): Promise<TotalsRow[]> {
  const rows = await database.query<StoredTotals>(sql`
    select l.* from unnest(${subCompanyIds}::uuid[]) as x(id)
    cross join lateral (
      select i.sub_company_id, i.number, i.events, i.counts, i.amounts, i.fees from statement_totals i
      where i.company_id = ${companyId} and i.sub_company_id = x.id and i.number <= ${number}
      order by i.number desc limit 1
    ) as l`);
  return rows.map(toTotalsRow);
}

/** Where a sub-company, or the whole company, has lines: the ends of stretches, in the direction of reading. */
export async function selectEnds(
  database: Queryable,
  companyId: string,
  subCompanyId: string,
  { from, to, isBackwards, limit }: EndsFilter,
): Promise<number[]> {
  const rows = await database.query<{ number: number }>(sql`
    select number from statement_totals
    where company_id = ${companyId} and sub_company_id = ${subCompanyId} and number >= ${from} and number <= ${to}
    order by number ${isBackwards ? sql`desc` : sql`asc`} limit ${limit}`);
  return rows.map((row) => row.number);
}

export interface EndsFilter {
  /** Both included. */
  readonly from: number;
  readonly to: number;
  readonly isBackwards: boolean;
  readonly limit: number;
}

export async function insertTotals(
  tx: Tx,
  companyId: string,
  rows: readonly TotalsRow[],
): Promise<void> {
  const stored = rows.map(({ subCompanyId, number, totals }) => {
    const sums = [...totals.values()];
    return {
      sub_company_id: subCompanyId,
      number,
      events: [...totals.keys()],
      counts: sums.map(({ count }) => count),
      amounts: sums.map(({ amount }) => amount),
      fees: sums.map(({ fee }) => fee),
    };
  });
  await tx.query(sql`
    insert into statement_totals as s (company_id, sub_company_id, number, events, counts, amounts, fees)
    select c.company_id, x.sub_company_id, x.number, x.events, x.counts, x.amounts, x.fees
    from companies c, jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as x(
      sub_company_id uuid, number bigint, events text[], counts bigint[], amounts bigint[], fees bigint[])
    where c.company_id = ${companyId}`);
}

function toTotalsRow(row: StoredTotals): TotalsRow {
  return { subCompanyId: row.sub_company_id, number: row.number, totals: toEventTotals(row) };
}

export function toEventTotals({ events, counts, amounts, fees }: StoredSums): EventTotals {
  return new Map(
    events.map((event, place) => [
      event,
      {
        count: Number(counts[place]),
        amount: Number(amounts[place]),
        fee: Number(fees[place]),
      },
    ]),
  );
}
