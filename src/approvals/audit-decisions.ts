import { type Query, sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** Preparers as an entry of the trail names them: see propose.ts. */
const digestOfHands = sql`encode(sha256(convert_to(array_to_string(hands, ' '), 'UTF8')), 'hex')`;

/** A comment as the trail has it, which cuts long ones. */
function isComment(found: Query, trailed: Query): Query {
  return sql`(${found} is not distinct from ${trailed}
    or coalesce(right(${trailed}, 1) = '…' and starts_with(${found}, left(${trailed}, -1)), false))`;
}

/** A title as the trail has it, which keeps more of a long one. */
const isTitle = sql`coalesce(t.title = p.title or (length(p.title) > 95 and starts_with(t.title, left(p.title, 95))), true)`;

/**
 * Who asked for a payment and who decided about it stands in the books and in the trail. Whoever changes one of them is
 * contradicted by the other. Entries of earlier releases have no hash of what was asked for, and say nothing of it.
 */
export const decisionChecks: readonly AuditCheck[] = [
  {
    name: "each payment that people asked for is what the trail says, and no other is there",
    count: (tx) => countOf(tx, sql`select count(*) as count from proposals`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'proposal ' || coalesce(p.subject, t.subject) || ' of company ' || coalesce(p.company_id, t.company_id) as "where",
          coalesce(t.said, 'an entry of the trail') as expected, coalesce(p.said, 'nothing') as found
        from (
          select company_id, 'prop_' || replace(id::text, '-', '') as subject,
            concat_ws(' ', made_by, kind, row_count, total_amount, total_fee, needs_approval) as said,
            title, alone_left::text as alone_left, encode(content_hash, 'hex') as hash, ${digestOfHands} as hands
          from proposals
        ) p
        full join (
          select company_id, subject, concat_ws(' ', person_id, changes::jsonb #>> '{kind,to}', changes::jsonb #>> '{count,to}',
              changes::jsonb #>> '{amount,to}', coalesce(changes::jsonb #>> '{fee,to}', '0'),
              case changes::jsonb #>> '{needsApproval,to}' when 'true' then 't' else 'f' end) as said,
            changes::jsonb #>> '{title,to}' as title, changes::jsonb #>> '{aloneLeft,to}' as alone_left,
            changes::jsonb #>> '{hash,to}' as hash,
            changes::jsonb #>> '{hands,to}' as hands
          from company_trail where action = 'proposal.made'
        ) t on t.company_id = p.company_id and t.subject = p.subject
        where t.said is distinct from p.said or not ${isTitle} or coalesce(t.alone_left, p.alone_left) <> p.alone_left
          or coalesce(t.hash, p.hash) <> p.hash or coalesce(t.hands, p.hands) <> p.hands
        limit ${differencesMax}`),
  },
  {
    name: "each decision about a payment is what the trail says: who, what, how and when",
    count: (tx) => countOf(tx, sql`select count(*) as count from approvals`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'proposal ' || coalesce(a.subject, t.subject) || ' of company ' || coalesce(a.company_id, t.company_id) as "where",
          coalesce(t.said || ' at ' || coalesce(t.decided_at, 'any time'), 'an entry of the trail') as expected,
          coalesce(a.said || ' at ' || a.decided_at, 'no decision') as found
        from (
          select company_id, 'prop_' || replace(proposal_id::text, '-', '') as subject,
            concat_ws(' ', 'proposal.' || verdict, 'by', decided_by, encode(content_hash, 'hex')) as said, comment,
            array_to_string(introducers, ' ') as introducers,
            to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as decided_at
          from approvals
        ) a
        full join (
          select company_id, subject, concat_ws(' ', action, 'by', person_id, changes::jsonb #>> '{hash,to}') as said,
            changes::jsonb #>> '{comment,to}' as comment, changes::jsonb #>> '{decidedAt,to}' as decided_at,
            changes::jsonb #>> '{introducers,to}' as introducers
          from company_trail where action in ('proposal.approved', 'proposal.refused')
        ) t on t.company_id = a.company_id and t.subject = a.subject
        where t.said is distinct from a.said or coalesce(t.decided_at, a.decided_at) <> a.decided_at
          or coalesce(t.introducers, a.introducers) <> a.introducers
          or not ${isComment(sql`a.comment`, sql`t.comment`)}
        limit ${differencesMax}`),
  },
  {
    name: "each decision about held transfers is what the trail says: who, what and how",
    count: (tx) => countOf(tx, sql`select count(*) as count from held_decisions`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'decision ' || coalesce(d.subject, t.subject) || ' of company ' || coalesce(d.company_id, t.company_id) as "where",
          coalesce(t.said, 'an entry of the trail') as expected, coalesce(d.said, 'no decision') as found
        from (
          select company_id, 'dec_' || replace(id::text, '-', '') as subject,
            concat_ws(' ', 'held.' || verdict, 'by', decided_by, row_count, total_amount, total_fee,
              encode(content_hash, 'hex')) as said, comment, ${digestOfHands} as hands,
            array_to_string(introducers, ' ') as introducers
          from held_decisions
        ) d
        full join (
          select company_id, subject, concat_ws(' ', action, 'by', person_id, changes::jsonb #>> '{count,to}',
              changes::jsonb #>> '{amount,to}', coalesce(changes::jsonb #>> '{fee,to}', '0'),
              changes::jsonb #>> '{hash,to}') as said,
            changes::jsonb #>> '{comment,to}' as comment, changes::jsonb #>> '{hands,to}' as hands,
            changes::jsonb #>> '{introducers,to}' as introducers
          from company_trail where action in ('held.approved', 'held.refused')
        ) t on t.company_id = d.company_id and t.subject = d.subject
        where t.said is distinct from d.said or coalesce(t.hands, d.hands) <> d.hands
          or coalesce(t.introducers, d.introducers) <> d.introducers
          or not ${isComment(sql`d.comment`, sql`t.comment`)}
        limit ${differencesMax}`),
  },
];
