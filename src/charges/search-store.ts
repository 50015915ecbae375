import type { Queryable } from "../database/database.ts";
import { orderOf, pageOf } from "../database/page.ts";
import { every, type Query, sql } from "../database/sql.ts";
import type { PageRequest } from "../kernel/page.ts";
import {
  type ChargeFilter,
  type ChargeRow,
  chargeColumns,
  chargePage,
  createdIn,
  matching,
  type ReadCharge,
  toReadCharge,
  transactionsOf,
} from "./store.ts";

/** A filter with what no index knows, and with who paid. What is left of it is looked for among rows that an index leads to. */
export interface ChargeSearch extends ChargeFilter {
  readonly amountMin?: number;
  readonly amountMax?: number;
  /** Digits: paid with this number, or tried to be. */
  readonly msisdn?: string;
}

/** What was found among the rows that were looked at. */
export interface Looked {
  readonly found: readonly ReadCharge[];
  /** Rows that were looked at, and the id of the last of them: null when there was none. */
  readonly count: number;
  readonly edge: string | null;
}

interface LookedRow extends ChargeRow {
  readonly looked: number;
  readonly edge: string | null;
}

/** The first rows of a stretch that are meant. The stretch is `page`; of what is found in it, so many are wanted. */
export async function selectLooked(
  database: Queryable,
  companyId: string,
  search: ChargeSearch,
  page: PageRequest,
  limit: number,
): Promise<Looked> {
  const rows = await database.query<LookedRow>(sql`
    with looked as materialized (${stretch(companyId, search, page)})
    select l.looked, l.edge, f.*
    from (
      select count(*) as looked, (select id from looked order by ${towardsEnd(page)} limit 1) as edge from looked
    ) as l
    left join lateral (
      select ${chargeColumns}
      from (select * from looked where ${isMeant(search)} order by ${orderOf(page)} limit ${limit}) as c
      cross join lateral (${transactionsOf(companyId)}) as t
    ) as f on true
    order by ${orderOf(page, sql`f.id`)}`);
  const [first] = rows;
  return {
    found: rows.filter(({ id }) => id !== null).map(toReadCharge),
    count: first?.looked ?? 0,
    edge: first?.edge ?? null,
  };
}

export interface SearchSum {
  readonly count: number;
  /** What was asked for, paid and given back. */
  readonly amount: number;
  readonly paid: number;
  readonly refunded: number;
}

/** What the rows of a stretch sum to that are meant. */
export async function selectSum(
  database: Queryable,
  companyId: string,
  search: ChargeSearch,
  page: PageRequest,
): Promise<SearchSum & { readonly looked: number; readonly edge: string | null }> {
  const rows = await database.query<SearchSum & { looked: number; edge: string | null }>(sql`
    with looked as materialized (${stretch(companyId, search, page)})
    select count(*) as looked, (select id from looked order by ${towardsEnd(page)} limit 1) as edge,
      count(*) filter (where ${isMeant(search)}) as count,
      coalesce(sum(amount) filter (where ${isMeant(search)}), 0)::bigint as amount,
      coalesce(sum(paid) filter (where ${isMeant(search)}), 0)::bigint as paid,
      coalesce(sum(refunded) filter (where ${isMeant(search)}), 0)::bigint as refunded
    from looked`);
  return rows[0] ?? { looked: 0, edge: null, count: 0, amount: 0, paid: 0, refunded: 0 };
}

/** The rows that one index leads to: those of a payer, or those of the filter. */
function stretch(companyId: string, search: ChargeSearch, page: PageRequest): Query {
  const { msisdn } = search;
  if (msisdn === undefined) return chargePage(companyId, search, page);
  return sql`
      select c.* from (
        select distinct p.charge_id as id from charge_transactions p
        where p.company_id = ${companyId} and p.msisdn = ${msisdn} and p.msisdn <> ''
          and ${createdIn(search, sql`p.charge_id`)} and ${pageOf(page, sql`p.charge_id`)}
      ) as p
      cross join lateral (
        select i.* from charges i where i.company_id = ${companyId} and i.id = p.id limit 1
      ) as c`;
}

/** Where reading went: the last row of a page comes first. */
function towardsEnd(page: PageRequest): Query {
  return page.from?.direction === "newer" ? sql`id desc` : sql`id`;
}

function isMeant(search: ChargeSearch): Query {
  const { amountMin, amountMax, msisdn } = search;
  // The index of payers knows nothing of these; any other has led to them already.
  const conditions: Query[] = msisdn === undefined ? [] : matching(search);
  if (amountMin !== undefined) conditions.push(sql`amount >= ${amountMin}`);
  if (amountMax !== undefined) conditions.push(sql`amount <= ${amountMax}`);
  return every(conditions);
}
