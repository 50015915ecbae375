import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** What came by a key and was held went where a person has said, and is what that person had seen. */
export const heldChecks: readonly AuditCheck[] = [
  {
    name: "what was held was decided by somebody who made no key for it, and is what was reviewed",
    count: (tx, { heldDecisions }) =>
      countOf(tx, sql`select count(*) as count from ${heldDecisions} d`),
    // As writeHeld in held.ts.
    find: (tx, { heldDecisions, heldTransfers, transfers }) =>
      tx.query<Difference>(sql`
        select 'decision ' || d.id || ' of company ' || d.company_id as "where",
          d.row_count || ' transfers, ' || d.total_amount || ' and fees ' || d.total_fee || ', '
            || encode(d.content_hash, 'hex') as expected,
          case when d.decided_by = any (d.hands) then 'decided by whoever made a key'
            when d.introducers && d.hands then 'decided by somebody whom the maker of a key let in'
            else coalesce(s.count, 0) || ' transfers, ' || coalesce(s.amount, 0) || ' and fees ' || coalesce(s.fee, 0) || ', '
              || coalesce(encode(s.hash, 'hex'), 'nothing') end as found
        from ${heldDecisions} d
        left join (
          select q.company_id, q.decision_id, count(*) as count, sum(t.amount) as amount, sum(t.fee) as fee,
            sha256(convert_to(q.company_id || chr(10) || string_agg(
              t.id || ' ' || t.msisdn || ' ' || t.amount || ' ' || t.fee || chr(10), '' order by t.id), 'UTF8')) as hash
          from ${heldTransfers} q
          join ${transfers} t on t.company_id = q.company_id and t.id = q.id
          where q.decision_id is not null
          group by q.company_id, q.decision_id
        ) s on s.company_id = d.company_id and s.decision_id = d.id
        where d.decided_by = any (d.hands) or d.introducers && d.hands or (s.count, s.amount, s.fee, s.hash)
          is distinct from (d.row_count::bigint, d.total_amount::numeric, d.total_fee::numeric, d.content_hash)
        limit ${differencesMax}`),
  },
  {
    name: "what was refused has failed, and what nobody has decided about has not ended",
    count: (tx, { heldTransfers }) =>
      countOf(tx, sql`select count(*) as count from ${heldTransfers} q`),
    find: (tx, { heldTransfers, outcomes }) =>
      tx.query<Difference>(sql`
        select 'transfer ' || q.id || ' of company ' || q.company_id as "where",
          case when d.id is null then 'held' else 'failed with UNKNOWN_ERROR' end as expected,
          coalesce(o.status::text || coalesce(' with ' || o.failure_reason, ''), 'not ended') as found
        from ${heldTransfers} q
        left join held_decisions d on d.company_id = q.company_id and d.id = q.decision_id
        left join ${outcomes} o on o.company_id = q.company_id and o.id = q.id
        where (d.id is null and o.id is not null)
          or (d.verdict = 'refused' and o.failure_reason is distinct from 'UNKNOWN_ERROR')
        limit ${differencesMax}`),
  },
  {
    name: "each company's keys pay out alone what was said last",
    count: (tx) => countOf(tx, sql`select count(*) as count from books`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'company ' || b.company_id as "where", coalesce(t.said, 'any amount') as expected,
          coalesce(b.keys_alone_max::text, 'any amount') as found
        from books b
        left join (
          select distinct on (company_id) company_id, changes::jsonb -> 'keysAloneMax' ->> 'to' as said from company_trail
          where action = 'company.changed' and changes like '%"keysAloneMax"%' order by company_id, id desc
        ) t on t.company_id = b.company_id
        where t.said is distinct from b.keys_alone_max::text
        limit ${differencesMax}`),
  },
];
