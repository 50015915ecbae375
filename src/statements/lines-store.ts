import type { Queryable } from "../database/database.ts";
import { every, type Query, sql } from "../database/sql.ts";

/** Postings after one number, up to and including another. */
export interface Stretch {
  readonly after: number;
  readonly upto: number;
}

/** A posting. */
export interface PostingRow {
  readonly number: number;
  readonly subject_id: string;
  readonly amount: number;
  readonly available_after: number | null;
  readonly event: string;
  readonly debit: string;
  readonly credit: string;
  readonly at: Date;
  readonly mark: number | null;
  readonly chain: Buffer | null;
}

/** A posting as its set was chained. */
export interface ChainedRow extends PostingRow {
  /** See factsText in chain.ts. */
  readonly facts: string | null;
  readonly isDated: boolean;
  readonly isMarked: boolean;
}

/** A posting, and what it was for. */
export interface LineRow extends PostingRow {
  readonly facts: string | null;
  readonly fee: number;
  readonly reference: string | null;
  readonly msisdn: string | null;
  readonly batch_id: string | null;
  readonly charge_id: string | null;
  readonly external_id: string | null;
  readonly memo: string | null;
  readonly sub_company_id: string | null;
  readonly sub_company_name: string | null;
}

export interface EventSum {
  readonly sub_company_id: string | null;
  readonly event: string;
  readonly count: number;
  readonly amount: number;
  readonly fee: number;
}

const postingColumns = sql`p.number, p.subject_id, p.amount, p.available_after, p.event::text as event,
  p.debit_account::text as debit, p.credit_account::text as credit, p.created_at as at, p.mark, p.chain`;

/** The signed change of what is available. */
const change = sql`case when p.credit_account = 'available' then p.amount else -p.amount end`;

/** How much of it was a fee: paid when the money went, given back when it came back. */
const fee = sql`coalesce(
  case when p.event = 'transfer.released' then -t.fee else t.fee end,
  case when p.event = 'charge.refunded' then -k.fee else k.fee end, 0)`;

const subCompany = sql`coalesce(t.sub_company_id, c.sub_company_id)`;

/** What a posting was for, looked up by its key. */
function subjectsOf(companyId: string): Query {
  return sql`
    left join lateral (
      select i.* from transfers i
      where i.company_id = ${companyId} and i.id = p.subject_id
        and p.event in ('transfer.reserved', 'transfer.released') limit 1
    ) as t on true
    left join lateral (
      select i.* from charge_transactions i
      where i.company_id = ${companyId} and i.id = p.subject_id and i.amount > 0
        and p.event in ('charge.paid', 'charge.refunded') limit 1
    ) as k on true
    left join lateral (
      select coalesce(i.external_id_given, i.external_id) as external_id, i.description, i.sub_company_id from charges i
      where i.company_id = ${companyId} and i.id = k.charge_id limit 1
    ) as c on true`;
}

/** The same of all postings, with what is behind their facts: what the operator moved, and who had tried to pay a charge. */
function allSubjectsOf(companyId: string): Query {
  return sql`${subjectsOf(companyId)}
    left join lateral (
      select string_agg(concat_ws(' ', i.id, i.msisdn_given, i.amount, i.error, extract(epoch from i.created_at)), chr(10) order by i.id)
        as attempts
      from charge_transactions i
      where i.company_id = ${companyId} and i.charge_id = k.charge_id and i.status = 'failed' and p.event = 'charge.paid'
    ) as tried on true
    left join lateral (
      select i.reference, i.memo, i.created_at from fundings i
      where i.company_id = ${companyId} and i.id = p.subject_id and p.event = 'company.funded' limit 1
    ) as f on true
    left join lateral (
      select i.reference, i.memo, i.created_at from withdrawals i
      where i.company_id = ${companyId} and i.id = p.subject_id and p.event = 'company.withdrawn' limit 1
    ) as w on true
    left join lateral (
      select i.reference, i.reason, i.created_at from adjustments i
      where i.company_id = ${companyId} and i.id = p.subject_id and p.event = 'company.adjusted' limit 1
    ) as a on true
    left join lateral (
      select i.ended_at, i.failure_reason from outcomes i
      where i.company_id = ${companyId} and i.id = p.subject_id
        and p.event in ('transfer.completed', 'transfer.released') limit 1
    ) as o on true`;
}

const reference = sql`coalesce(t.reference_given, t.reference, f.reference, w.reference, a.reference)`;
const msisdn = sql`coalesce(case when t.msisdn_has_plus then '+' || t.msisdn else t.msisdn end, k.msisdn_given)`;
const memo = sql`coalesce(t.description, c.description, f.memo, w.memo, a.reason)`;

/** What is chained of a posting beside the posting itself: add_postings is given the same. */
const facts = sql`case when p.event <> 'transfer.completed' then facts_text(
  ${fee}, k.charge_id, ${reference}, c.external_id, ${msisdn}, ${subCompany}, t.batch_id, ${memo},
  case when k.id is not null then charge_hidden(k.created_at, k.reason, k.type, tried.attempts)
    when p.event = 'transfer.reserved' then t.metadata else o.failure_reason::text end) end`;

/** A hash of what all postings of a set have in common. */
const seed = sql`hashtextextended(p.event || ' ' || p.debit_account || ' ' || p.credit_account || ' '
  || to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 0)`;

function withinStretch({ after, upto }: Stretch): Query {
  return sql`p.number > ${after} and p.number <= ${upto}`;
}

const isLine = sql`p.available_after is not null`;

/**
 * Lines of a stretch, forwards or backwards: all of them, or those of one sub-company. The caller sees to it that the
 * stretch is short: it is walked.
 */
export async function selectLines(
  database: Queryable,
  companyId: string,
  stretch: Stretch,
  { subCompanyId, isBackwards, limit }: LineFilter,
): Promise<LineRow[]> {
  const conditions = [withinStretch(stretch), isLine];
  if (subCompanyId !== undefined) conditions.push(sql`${subCompany} = ${subCompanyId}`);
  return selectWithSubjects(database, companyId, conditions, { isBackwards, limit });
}

export interface LineFilter {
  readonly subCompanyId: string | undefined;
  readonly isBackwards: boolean;
  readonly limit: number;
}

/** Every posting of a stretch, with what it was for where it is a line. */
export async function selectPostingsOfStatement(
  database: Queryable,
  companyId: string,
  stretch: Stretch,
): Promise<LineRow[]> {
  const limit = stretch.upto - stretch.after;
  return selectWithSubjects(database, companyId, [withinStretch(stretch)], {
    isBackwards: false,
    limit,
  });
}

async function selectWithSubjects(
  database: Queryable,
  companyId: string,
  conditions: readonly Query[],
  { isBackwards, limit }: Omit<LineFilter, "subCompanyId">,
): Promise<LineRow[]> {
  return database.query<LineRow>(sql`
    select ${postingColumns}, ${facts} as facts, ${fee} as fee, ${reference} as reference, ${msisdn} as msisdn,
      t.batch_id, k.charge_id, c.external_id, ${memo} as memo, ${subCompany} as sub_company_id, s.name as sub_company_name
    from postings p
    ${allSubjectsOf(companyId)}
    left join lateral (
      select i.name from sub_companies i
      where i.company_id = ${companyId} and i.id = ${subCompany} limit 1
    ) as s on true
    where p.company_id = ${companyId} and ${every(conditions)}
    order by p.number ${isBackwards ? sql`desc` : sql`asc`}
    limit ${limit}`);
}

/** The postings of a stretch, as they were chained. */
export async function selectChainedPostings(
  database: Queryable,
  companyId: string,
  stretch: Stretch,
): Promise<ChainedRow[]> {
  return database.query<ChainedRow>(sql`
    select x.number, x.subject_id, x.amount, x.available_after, x.event, x.debit, x.credit, x.at, x.mark, x.chain, x.facts,
      x.at = date_trunc('milliseconds', x.at) and coalesce(x.at = x.subject_at, true) as "isDated",
      x.mark is not distinct from posting_mark(x.seed, x.number, x.subject_id, x.amount, null)
        or x.mark is not distinct from posting_mark(x.seed, x.number, x.subject_id, x.amount, x.facts) as "isMarked"
    from (
      select ${postingColumns}, ${facts} as facts, ${seed} as seed, case when p.event = 'transfer.reserved' then time_of_id(t.id)
        else coalesce(o.ended_at, f.created_at, w.created_at, a.created_at) end as subject_at
      from postings p
      ${allSubjectsOf(companyId)}
      where p.company_id = ${companyId} and ${withinStretch(stretch)}
      order by p.number limit ${stretch.upto - stretch.after}
    ) as x
    order by x.number`);
}

/** What the lines of a stretch sum to, by sub-company and event. */
export async function sumLines(
  database: Queryable,
  companyId: string,
  stretch: Stretch,
): Promise<EventSum[]> {
  return database.query<EventSum>(sql`
    select ${subCompany} as sub_company_id, p.event::text as event, count(*) as count, sum(${change})::bigint as amount, sum(${fee})::bigint as fee
    from postings p
    ${subjectsOf(companyId)}
    where p.company_id = ${companyId} and ${withinStretch(stretch)} and ${isLine}
    group by 1, 2`);
}

/** In pieces of which none is too much for one statement, in the direction of reading. */
export function* piecesOf(stretch: Stretch, size: number, isBackwards = false): Generator<Stretch> {
  let { after, upto } = stretch;
  while (after < upto) {
    if (isBackwards) {
      const piece = { after: Math.max(after, upto - size), upto };
      upto = piece.after;
      yield piece;
    } else {
      const piece = { after, upto: Math.min(upto, after + size) };
      after = piece.upto;
      yield piece;
    }
  }
}

export async function selectLastPosting(database: Queryable, companyId: string): Promise<number> {
  const rows = await database.query<{ last_posting: number }>(sql`
    select last_posting from books where company_id = ${companyId}`);
  return rows[0]?.last_posting ?? 0;
}

/** Of the last posting before a moment; 0 when there is none. */
export async function selectLastBefore(
  database: Queryable,
  companyId: string,
  moment: Date,
): Promise<number> {
  const rows = await database.query<{ number: number }>(sql`
    select last_posting_before(${companyId}, ${moment}) as number`);
  return rows[0]?.number ?? 0;
}

/** No posting is made any more that bears a time before this one: within a period, and as the books stand. */
export async function selectClosedUntil(
  database: Queryable,
  companyId: string,
  until: Date | undefined,
): Promise<Date | undefined> {
  const rows = await database.query<{ until: Date }>(sql`
    select least(posted_at, ${until ?? "infinity"}::timestamptz) as until from books
    where company_id = ${companyId} and posted_at > '-infinity'`);
  return rows[0]?.until;
}
