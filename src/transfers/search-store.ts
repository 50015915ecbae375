import type { Queryable } from "../database/database.ts";
import { orderOf } from "../database/page.ts";
import { every, type Query, sql } from "../database/sql.ts";
import type { PageRequest } from "../kernel/page.ts";
import { type TransferFilter, type TransferRow, toTransfer, transferPage } from "./store.ts";
import type { FailureReason, Transfer } from "./transfer.ts";

/** A filter with what no index knows. What is left of it is looked for among rows that an index leads to. */
export interface TransferSearch extends TransferFilter {
  readonly amountMin?: number;
  readonly amountMax?: number;
  readonly failureReason?: FailureReason;
}

/** What was found among the rows that were looked at. */
export interface Looked {
  readonly found: readonly Transfer[];
  /** Rows that were looked at, and the id of the last of them: null when there was none. */
  readonly count: number;
  readonly edge: string | null;
}

interface LookedRow extends TransferRow {
  readonly looked: number;
  readonly edge: string | null;
}

/** The first rows of a stretch that are meant. The stretch is `page`; of what is found in it, so many are wanted. */
export async function selectLooked(
  database: Queryable,
  companyId: string,
  search: TransferSearch,
  page: PageRequest,
  limit: number,
): Promise<Looked> {
  const rows = await database.query<LookedRow>(sql`
    with looked as materialized (${transferPage(companyId, search, page)})
    select l.looked, l.edge, f.*
    from (
      select count(*) as looked, (select id from looked order by ${towardsEnd(page)} limit 1) as edge from looked
    ) as l
    left join lateral (
      select * from looked where ${isMeant(search)} order by ${orderOf(page)} limit ${limit}
    ) as f on true
    order by ${orderOf(page, sql`f.id`)}`);
  const [first] = rows;
  return {
    found: rows.filter(({ id }) => id !== null).map(toTransfer),
    count: first?.looked ?? 0,
    edge: first?.edge ?? null,
  };
}

export interface SearchSum {
  readonly count: number;
  readonly amount: number;
  readonly fee: number;
}

/** What the rows of a stretch sum to that are meant. */
export async function selectSum(
  database: Queryable,
  companyId: string,
  search: TransferSearch,
  page: PageRequest,
): Promise<SearchSum & { readonly looked: number; readonly edge: string | null }> {
  const rows = await database.query<SearchSum & { looked: number; edge: string | null }>(sql`
    with looked as materialized (${transferPage(companyId, search, page)})
    select count(*) as looked, (select id from looked order by ${towardsEnd(page)} limit 1) as edge,
      count(*) filter (where ${isMeant(search)}) as count,
      coalesce(sum(amount) filter (where ${isMeant(search)}), 0)::bigint as amount,
      coalesce(sum(fee) filter (where ${isMeant(search)}), 0)::bigint as fee
    from looked`);
  return rows[0] ?? { looked: 0, edge: null, count: 0, amount: 0, fee: 0 };
}

/** Where reading went: the last row of a page comes first. */
function towardsEnd(page: PageRequest): Query {
  return page.from?.direction === "newer" ? sql`id desc` : sql`id`;
}

function isMeant({ amountMin, amountMax, failureReason }: TransferSearch): Query {
  const conditions: Query[] = [];
  if (amountMin !== undefined) conditions.push(sql`amount >= ${amountMin}`);
  if (amountMax !== undefined) conditions.push(sql`amount <= ${amountMax}`);
  if (failureReason !== undefined) conditions.push(sql`failure_reason = ${failureReason}`);
  return every(conditions);
}
