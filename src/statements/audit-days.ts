import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";
import { stretchSize } from "./totals.ts";
import { wholeCompany } from "./totals-store.ts";

/** The sums that were sealed with a day. They are those of the last whole stretch, and of the lines since. */
export const dayChecks: readonly AuditCheck[] = [
  {
    name: "the sums of a day are those of its lines, kind by kind",
    count: (tx) => countOf(tx, sql`select count(*) as count from day_totals`),
    // The sums of whole stretches are compared with their lines by another check. By numbers, so that both sides are hashed.
    find: (tx, { seals, sealedLines }) =>
      tx.query<Difference>(sql`
        with days as (
          select s.company_id, s.day, s.number, least(s.number / ${stretchSize} * ${stretchSize}, coalesce(g.totalled_to, 0)) as base
          from ${seals} s left join statement_progress g on g.company_id = s.company_id
        ), expected as (
          select company_id, day, event, sum(count) as count, sum(amount) as amount, sum(fee) as fee
          from (
            select d.company_id, d.day, x.event, x.count, x.amount, x.fee
            from days d
            join statement_totals t on t.company_id = d.company_id and t.number = d.base
              and t.sub_company_id = ${wholeCompany}::uuid
            cross join lateral unnest(t.events, t.counts, t.amounts, t.fees) as x(event, count, amount, fee)
            union all
            select d.company_id, d.day, p.event, 1, p.amount, p.fee
            from (
              select company_id, day, n.number from days cross join lateral generate_series(base + 1, number) as n(number)
            ) d
            join ${sealedLines} p on p.company_id = d.company_id and p.number = d.number
          ) l group by company_id, day, event
        )
        select 'sums of ' || coalesce(e.day, k.day) || ' of company ' || coalesce(e.company_id, k.company_id) || ', '
            || coalesce(e.event, k.event) as "where",
          coalesce(e.count, 0) || ' lines of ' || coalesce(e.amount, 0) || ', fees ' || coalesce(e.fee, 0) as expected,
          coalesce(k.count, 0) || ' lines of ' || coalesce(k.amount, 0) || ', fees ' || coalesce(k.fee, 0) as found
        from expected e
        full join (
          select d.company_id, d.day, x.event, x.count, x.amount, x.fee
          from day_totals d
          join ${seals} s on s.company_id = d.company_id and s.day = d.day
          cross join lateral unnest(d.events, d.counts, d.amounts, d.fees) as x(event, count, amount, fee)
        ) k on k.company_id = e.company_id and k.day = e.day and k.event = e.event
        where (coalesce(e.count, 0), coalesce(e.amount, 0), coalesce(e.fee, 0))
          <> (coalesce(k.count, 0), coalesce(k.amount, 0), coalesce(k.fee, 0))
          and (k.day is not null or exists (select 1 from day_totals i where i.company_id = e.company_id and i.day > e.day))
        limit ${differencesMax}`),
  },
];
