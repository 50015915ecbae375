import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** What people paid out was let go by whoever had to, and is what they had seen. */
export const approvalChecks: readonly AuditCheck[] = [
  {
    name: "what people paid out was approved by another person, or was theirs to pay alone",
    count: (tx, { proposalParts }) =>
      countOf(tx, sql`select count(*) as count from ${proposalParts} x`),
    find: (tx, { proposalParts }) =>
      tx.query<Difference>(sql`
        select 'proposal ' || p.id || ' of company ' || p.company_id as "where",
          'approved by somebody else, as it stands' as expected,
          case when a.proposal_id is null then 'approved by nobody'
            when a.verdict <> 'approved' then 'refused'
            when a.decided_by = any (p.hands) then 'approved by whoever prepared it'
            when a.introducers && p.hands then 'approved by somebody whom a preparer let in'
            else 'approved as something else' end as found
        from ${proposalParts} x
        join proposals p on p.company_id = x.company_id and p.id = x.proposal_id
        left join approvals a on a.company_id = p.company_id and a.proposal_id = p.id
        where x.first_row = 0 and p.needs_approval and (
          a.proposal_id is null or a.verdict <> 'approved' or a.decided_by = any (p.hands) or a.introducers && p.hands
          or a.content_hash <> sha256(p.content))
        limit ${differencesMax}`),
  },
  {
    name: "nobody paid out alone more than one person may",
    count: (tx) =>
      countOf(tx, sql`select count(*) as count from proposals where not needs_approval`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'proposal ' || id || ' of company ' || company_id as "where", 'at most ' || alone_left as expected,
          total_amount::text as found
        from proposals where not needs_approval and total_amount > alone_left
        limit ${differencesMax}`),
  },
  {
    name: "what was sent is what was approved, row by row",
    count: (tx, { proposalParts }) =>
      countOf(tx, sql`select coalesce(sum(row_count), 0) as count from ${proposalParts} x`),
    find: (tx, { proposalParts, transfers }) =>
      tx.query<Difference>(sql`
        with asked as (
          select p.company_id, p.id as proposal_id, x.first_row, x.made_id, p.kind, l.place - 2 as row,
            l.line::jsonb as line
          from ${proposalParts} x
          join proposals p on p.company_id = x.company_id and p.id = x.proposal_id and p.kind <> 'refund'
          cross join lateral string_to_table(rtrim(convert_from(p.content, 'UTF8'), chr(10)), chr(10))
            with ordinality as l(line, place)
          where l.place - 2 >= x.first_row and l.place - 2 < x.first_row + x.row_count
            and not exists (
              select 1 from proposal_gaps g
              where g.company_id = p.company_id and g.proposal_id = p.id and g.row = l.place - 2)
        ), made as (
          select x.company_id, x.proposal_id, x.first_row, t.msisdn, t.amount, t.fee,
            coalesce(t.reference_given, t.reference) as reference, t.description
          from ${proposalParts} x
          join ${transfers} t on t.company_id = x.company_id and t.id = x.made_id
          union all
          select x.company_id, x.proposal_id, x.first_row, t.msisdn, t.amount, t.fee,
            coalesce(t.reference_given, t.reference) as reference, t.description
          from ${proposalParts} x
          join ${transfers} t on t.company_id = x.company_id and t.batch_id = x.made_id
        )
        select 'proposal ' || coalesce(a.proposal_id, m.proposal_id) || ', reference '
            || coalesce(a.line ->> 4, m.reference) as "where",
          coalesce(concat_ws(' ', a.line ->> 1, a.line ->> 2, a.line ->> 3, a.line ->> 5), 'nothing') as expected,
          coalesce(concat_ws(' ', m.msisdn, m.amount, m.fee, m.description), 'nothing') as found
        from asked a
        full join made m on m.company_id = a.company_id and m.proposal_id = a.proposal_id and m.first_row = a.first_row
          and m.reference = a.line ->> 4
        where (a.line ->> 1, a.line ->> 2, a.line ->> 3, a.line ->> 5)
          is distinct from (m.msisdn, m.amount::text, m.fee::text, m.description)
        limit ${differencesMax}`),
  },
  {
    name: "what was given back is what was approved",
    count: (tx) => countOf(tx, sql`select count(*) as count from proposals where kind = 'refund'`),
    find: (tx, { proposalParts, newChargeTransactions }) =>
      tx.query<Difference>(sql`
        select 'proposal ' || p.id || ' of company ' || p.company_id as "where", p.total_amount::text as expected,
          coalesce(c.amount::text, 'nothing') as found
        from ${proposalParts} x
        join proposals p on p.company_id = x.company_id and p.id = x.proposal_id and p.kind = 'refund'
        left join ${newChargeTransactions} c on c.company_id = x.company_id and c.id = x.made_id and c.type = 'refund'
        where c.amount is distinct from p.total_amount
        limit ${differencesMax}`),
  },
  {
    name: "what was carried out is as far as its parts say",
    count: (tx) => countOf(tx, sql`select count(*) as count from proposal_states`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'proposal ' || s.proposal_id || ' of company ' || s.company_id as "where",
          s.done_rows || ' rows' as expected, coalesce(x.rows, 0) || ' rows' as found
        from proposal_states s
        left join (
          select company_id, proposal_id, sum(row_count) as rows from proposal_parts group by company_id, proposal_id
        ) x on x.company_id = s.company_id and x.proposal_id = s.proposal_id
        left join (
          select company_id, proposal_id, count(*) as rows from proposal_gaps group by company_id, proposal_id
        ) g on g.company_id = s.company_id and g.proposal_id = s.proposal_id
        where coalesce(x.rows, 0) > s.done_rows or s.done_rows > coalesce(x.rows, 0) + coalesce(g.rows, 0)
        limit ${differencesMax}`),
  },
  {
    name: "each company's people pay out alone what was said last",
    count: (tx) => countOf(tx, sql`select count(*) as count from books`),
    // Nothing, where nobody has said anything.
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'company ' || b.company_id as "where", coalesce(t.said, '0') as expected,
          coalesce(r.alone_max, 0)::text as found
        from books b
        left join approval_rules r on r.company_id = b.company_id
        left join (
          select distinct on (company_id) company_id, changes::jsonb -> 'aloneMax' ->> 'to' as said from company_trail
          where action = 'company.changed' and changes like '%"aloneMax"%' order by company_id, id desc
        ) t on t.company_id = b.company_id
        where coalesce(t.said, '0') <> coalesce(r.alone_max, 0)::text
        limit ${differencesMax}`),
  },
];
