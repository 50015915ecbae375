import type { Database, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** One thing that must hold, looked at over everything there is. */
export interface AuditCheck {
  readonly name: string;
  /** Returns what does not hold, at most `differencesMax` of it. */
  readonly find: (tx: Tx) => Promise<Difference[]>;
  /** How many things it looked at, so that an empty answer can be told from an empty database. */
  readonly count: (tx: Tx) => Promise<number>;
}

export interface Difference {
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

export interface AuditResult {
  readonly check: string;
  readonly examined: number;
  readonly differences: readonly Difference[];
}

export const differencesMax = 100;

/**
 * Runs every check on one snapshot of the database, so that work in progress is seen whole or not at all.
 * It reads everything once; no request path does.
 */
export async function audit(
  database: Database,
  checks: readonly AuditCheck[],
): Promise<AuditResult[]> {
  return database.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`);
    await tx.query(sql`set local enable_seqscan = on`);
    const results: AuditResult[] = [];
    for (const check of checks) {
      results.push({
        check: check.name,
        examined: await check.count(tx),
        differences: await check.find(tx),
      });
    }
    return results;
  });
}

const countOf = async (rows: Promise<{ count: number }[]>): Promise<number> =>
  (await rows)[0]?.count ?? 0;

export const ledgerChecks: readonly AuditCheck[] = [
  {
    name: "each company's balances sum to zero",
    count: (tx) => countOf(tx.query(sql`select count(*) as count from companies`)),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'company ' || company_id as "where", '0' as expected,
          (available + in_flight + fees + external + paid_out)::text as found
        from books where available + in_flight + fees + external + paid_out <> 0 limit ${differencesMax}`),
  },
  {
    name: "each balance is the sum of its postings",
    count: (tx) => countOf(tx.query(sql`select count(*) as count from postings`)),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'account ' || a.kind || ' of company ' || a.company_id as "where",
          coalesce(s.balance, 0)::text as expected, a.balance::text as found
        from (
          select b.company_id, v.kind, v.balance from books b
          cross join lateral (values ('available'::account, b.available), ('in_flight', b.in_flight), ('fees', b.fees),
            ('external', b.external), ('paid_out', b.paid_out)) v(kind, balance)
        ) a
        left join (
          select p.company_id, v.account, sum(v.delta) as balance
          from postings p
          cross join lateral (values (p.credit_account, p.amount), (p.debit_account, -p.amount)) v(account, delta)
          group by p.company_id, v.account
        ) s on s.company_id = a.company_id and s.account = a.kind
        where a.balance <> coalesce(s.balance, 0)
        limit ${differencesMax}`),
  },
  {
    name: "postings are numbered without gaps",
    count: (tx) => countOf(tx.query(sql`select count(*) as count from books`)),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'company ' || c.company_id as "where", c.last_posting || ' postings, numbered 1 to ' || c.last_posting as expected,
          coalesce(p.count, 0) || ' postings up to number ' || coalesce(p.last, 0) as found
        from books c
        left join (
          select company_id, count(*) as count, max(number) as last from postings group by company_id
        ) p on p.company_id = c.company_id
        where c.last_posting <> coalesce(p.count, 0) or c.last_posting <> coalesce(p.last, 0)
        limit ${differencesMax}`),
  },
  {
    name: "a statement's balances follow from one another",
    count: (tx) =>
      countOf(
        tx.query(sql`select count(*) as count from postings where available_after is not null`),
      ),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'posting ' || s.number || ' of company ' || s.company_id as "where",
          s.expected::text as expected, s.available_after::text as found
        from (
          select company_id, number, available_after,
            coalesce(lag(available_after) over (partition by company_id order by number), 0)
              + case when credit_account = 'available' then amount else -amount end as expected
          from postings
          where available_after is not null
        ) s
        where s.available_after <> s.expected
        limit ${differencesMax}`),
  },
  {
    name: "each funding is in the books, and no other is",
    count: (tx) => countOf(tx.query(sql`select count(*) as count from fundings`)),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'funding ' || coalesce(f.id, p.subject_id) as "where",
          coalesce(f.amount, 0)::text as expected, coalesce(p.amount, 0)::text as found
        from fundings f
        full join (
          select company_id, subject_id, sum(amount) as amount from postings
          where event = 'company.funded' group by company_id, subject_id
        ) p on p.company_id = f.company_id and p.subject_id = f.id
        where f.amount is distinct from p.amount
        limit ${differencesMax}`),
  },
];
