import type { Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";
import type { AuditRows } from "../ledger/audit-rows.ts";
import { keptDays } from "../webhooks/forget-deliveries.ts";
import { firstHash } from "./chain.ts";
import { recomputeChain } from "./check-chain.ts";
import { selectLedgerKeys } from "./keys-store.ts";
import { isGenuine } from "./seal.ts";
import { type KeptSeal, selectSealsWithin } from "./seals-store.ts";
import { stretchSize } from "./totals.ts";
import { wholeCompany } from "./totals-store.ts";

interface BooksRow {
  readonly company_id: string;
  readonly last_posting: number;
  readonly chain: Buffer | null;
  readonly chained_after: number | null;
  /** Of the checkpoint; null where there is none. */
  readonly opening: number | null;
  readonly opening_chain: Buffer | null;
  readonly opening_seal: number | null;
}

const countMarked: AuditCheck["count"] = (tx, { postings }) =>
  countOf(tx, sql`select count(*) as count from ${postings} p where mark is not null`);
const countSeals: AuditCheck["count"] = (tx, { seals }) =>
  countOf(tx, sql`select count(*) as count from ${seals} s`);

export const statementChecks: readonly AuditCheck[] = [
  {
    name: "postings and what they were for are what was chained, and the days' ends what was sealed",
    count: countMarked,
    find: findBrokenChains,
  },
  {
    name: "each seal is signed by a key of the operator",
    count: countSeals,
    find: findForgedSeals,
  },
  {
    name: "each seal is told, as it is, and no other is",
    count: (tx, { events }) =>
      countOf(
        tx,
        sql`select count(*) as count from ${events} e where topic::text = 'statements/sealed'`,
      ),
    // The payloads are ours, so they always look the same: see toSealPayload.
    find: (tx, { events, seals }) =>
      tx.query<Difference>(sql`
        select coalesce('event ' || e.number, 'seal of ' || s.day) || ' of company ' || coalesce(e.company_id, s.company_id)
            as "where",
          coalesce('the seal of ' || s.day, 'no event') as expected, coalesce(left(e.payload, 300), 'no event') as found
        from (
          select company_id, number, subject_id, payload, substring(payload from '"day":"(.{10})"') as day
          from ${events} e where topic::text = 'statements/sealed'
        ) e
        full join (
          select s.company_id, s.day, s.sealed_at,
            concat('{"data":{"companyId":"com_', replace(s.company_id::text, '-', ''), '","day":"', s.day, '","until":"',
              to_char(s.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '","number":', s.number, ',"balance":',
              s.balance, ',"hash":"', encode(s.hash, 'hex'), '",', case when s.trail_number is not null then
                concat('"trail":{"number":', s.trail_number, ',"hash":"', encode(s.trail_hash, 'hex'),
                  '"},"installation":{"number":', s.installation_number, ',"hash":"', encode(s.installation_hash, 'hex'), '"},') end,
              '"keyId":"', s.key_id, '","publicKey":"',
              replace(encode(k.public_key, 'base64'), chr(10), ''), '","signature":"',
              replace(encode(s.signature, 'base64'), chr(10), ''), '"},"topic":"statements/sealed"}') as payload
          from ${seals} s left join ledger_keys k on k.id = s.key_id
        ) s on s.company_id = e.company_id and s.day::text = e.day
        where s.company_id is null or e.subject_id <> e.company_id or e.payload <> s.payload
          or (e.company_id is null and s.sealed_at > now() - make_interval(days => ${keptDays - 1}))
        limit ${differencesMax}`),
  },
  {
    name: "a chain begins with its first posting, and no posting is dated into what is sealed",
    count: (tx) => countOf(tx, sql`select count(*) as count from books`),
    find: (tx, { postings, opening }) =>
      tx.query<Difference>(sql`
        select 'company ' || b.company_id as "where",
          'chained after ' || coalesce(coalesce(o.chained_after, m.first - 1)::text, 'nothing') || ', sealed to ' || coalesce(s.number, 0)
            || ', posted at ' || coalesce(p.created_at::text, 'any time') || ' or later' as expected,
          'chained after ' || coalesce(b.chained_after::text, 'nothing') || ', sealed to ' || coalesce(g.sealed_to, 0)
            || ', posted at ' || b.posted_at as found
        from books b
        left join ${opening} o on o.company_id = b.company_id
        left join statement_progress g on g.company_id = b.company_id
        left join (
          select company_id, max(number) as number, max(until) as until from seals group by company_id
        ) s on s.company_id = b.company_id
        left join (
          select company_id, min(number) as first from ${postings} p where mark is not null group by company_id
        ) m on m.company_id = b.company_id
        left join postings p on p.company_id = b.company_id and p.number = b.last_posting
        left join event_runs e on e.company_id = b.company_id and e.last_number = b.last_event
        where b.chained_after is distinct from coalesce(o.chained_after, m.first - 1)
          or coalesce(g.sealed_to, 0) <> coalesce(s.number, 0)
          or (b.chain is not null and b.posted_at < greatest(p.created_at, s.until))
          or b.posted_at > greatest(p.created_at, e.created_at, s.until, now() + interval '1 minute')
        limit ${differencesMax}`),
  },
  {
    name: "the sums of statements are those of their lines",
    count: (tx, { statementTotals }) =>
      countOf(tx, sql`select count(*) as count from ${statementTotals} t`),
    find: (tx, { statementTotals, statementLines, opening }) =>
      tx.query<Difference>(sql`
        select 'sum of ' || coalesce(k.event, l.event) || ' up to posting ' || coalesce(k.number, l.number) || ' of company '
            || coalesce(k.company_id, l.company_id) || ', sub-company ' || coalesce(k.sub_company_id, l.sub_company_id) as "where",
          coalesce(l.count, 0) || ' lines of ' || coalesce(l.amount, 0) || ', fees ' || coalesce(l.fee, 0) as expected,
          coalesce(k.count, 0) || ' lines of ' || coalesce(k.amount, 0) || ', fees ' || coalesce(k.fee, 0) as found
        from (
          select t.company_id, t.sub_company_id, t.number, x.event, x.count, x.amount, x.fee, o.totalled_to,
            x.count - coalesce(lag(x.count) over w, 0) as more_count,
            x.amount - coalesce(lag(x.amount) over w, 0) as more_amount,
            x.fee - coalesce(lag(x.fee) over w, 0) as more_fee
          from ${statementTotals} t
          left join ${opening} o on o.company_id = t.company_id
          cross join lateral unnest(t.events, t.counts, t.amounts, t.fees) as x(event, count, amount, fee)
          window w as (partition by t.company_id, t.sub_company_id, x.event order by t.number)
        ) k
        full join (
          select p.company_id, v.sub_company_id, ((p.number - 1) / ${stretchSize} + 1) * ${stretchSize} as number,
            p.event, count(*) as count, sum(p.amount) as amount, sum(p.fee) as fee
          from ${statementLines} p
          join statement_progress g on g.company_id = p.company_id and p.number <= g.totalled_to
          cross join lateral (values (${wholeCompany}::uuid), (p.sub_company_id)) as v(sub_company_id)
          where v.sub_company_id is not null
          group by 1, 2, 3, 4
        ) l on l.company_id = k.company_id and l.sub_company_id = k.sub_company_id and l.number = k.number
          and l.event = k.event
        where (k.totalled_to is null or k.number > k.totalled_to) and (coalesce(k.more_count, 0) <> coalesce(l.count, 0)
          or coalesce(k.more_amount, 0) <> coalesce(l.amount, 0) or coalesce(k.more_fee, 0) <> coalesce(l.fee, 0))
        limit ${differencesMax}`),
  },
  {
    name: "the sums of a day come to the balance that was sealed",
    count: (tx) => countOf(tx, sql`select count(*) as count from day_totals`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'sums of ' || d.day || ' of company ' || d.company_id as "where",
          s.balance::text as expected, coalesce(x.balance, 0)::text as found
        from day_totals d
        join seals s on s.company_id = d.company_id and s.day = d.day
        cross join lateral (select sum(amount)::bigint as balance from unnest(d.amounts) as amount) as x
        where coalesce(x.balance, 0) <> s.balance
        limit ${differencesMax}`),
  },
];

/** Computes every company's chain again. Names the first posting that is not what was chained, or the seal that differs. */
async function findBrokenChains(tx: Tx, { opening }: AuditRows): Promise<Difference[]> {
  const differences: Difference[] = [];
  const companies = await tx.query<BooksRow>(sql`
    select b.company_id, b.last_posting, b.chain, b.chained_after, o.posting as opening, o.chain as opening_chain,
      o.seal_number as opening_seal
    from books b left join ${opening} o on o.company_id = b.company_id order by b.company_id`);
  for (const company of companies) {
    differences.push(...(await findBroken(tx, company)));
    if (differences.length >= differencesMax) break;
  }
  return differences.slice(0, differencesMax);
}

async function findBroken(tx: Tx, company: BooksRow): Promise<Difference[]> {
  const { company_id: companyId, last_posting, chain } = company;
  const seals = await selectSealsWithin(tx, companyId, {
    after: company.opening_seal ?? -1,
    upto: Number.MAX_SAFE_INTEGER,
  });
  const { after, hash } = startOfChain(company);
  const waiting = new Map<number, KeptSeal>(seals.map((seal) => [seal.number, seal]));
  const differing: KeptSeal[] = [];
  const walk = { companyId, after, upto: last_posting, hash };
  const differences: Difference[] = [];
  const report = (where: string, expected: string, found: string) =>
    differences.push({ where: `${where} of company ${companyId}`, expected, found });
  const result = await recomputeChain(tx, walk, {
    onHash(number, found) {
      const seal = waiting.get(number);
      if (seal?.hash.equals(found) === false) differing.push(seal);
      waiting.delete(number);
    },
    onMismarked(number) {
      if (differences.length < differencesMax)
        report(`posting ${number}`, "the mark that it was given", "another");
    },
  });
  if (result.broken !== undefined) {
    const { number, expected, found } = result.broken;
    report(`posting ${number}`, expected, found);
    return differences;
  }
  if (chain !== null && !chain.equals(result.hash))
    report("the head", result.hash.toString("hex"), chain.toString("hex"));
  for (const { day, number, hash: sealed } of differing)
    report(
      `what was posted up to ${number}, sealed for ${day},`,
      sealed.toString("hex"),
      "another history",
    );
  for (const { day, number } of waiting.values())
    report(`posting ${number}, the last that was sealed for ${day},`, "the end of a set", "none");
  return differences;
}

/** Where the walk begins: at the checkpoint, or where the chain does. */
function startOfChain(company: BooksRow): { readonly after: number; readonly hash: Buffer } {
  const { company_id: companyId, last_posting, chain, chained_after } = company;
  if (company.opening !== null && company.opening_chain !== null)
    return { after: company.opening, hash: company.opening_chain };
  const after = chained_after ?? last_posting;
  return { after, hash: chain === null ? Buffer.alloc(0) : firstHash({ companyId, after }) };
}

async function findForgedSeals(tx: Tx, { seals, opening }: AuditRows): Promise<Difference[]> {
  const keys = await selectLedgerKeys(tx);
  const differences: Difference[] = [];
  const companies = await tx.query<{ company_id: string; after: number }>(sql`
    select s.company_id, coalesce(max(o.seal_number), -1) as after
    from ${seals} s left join ${opening} o on o.company_id = s.company_id
    group by s.company_id order by s.company_id`);
  for (const { company_id: companyId, after } of companies) {
    const stretch = { after, upto: Number.MAX_SAFE_INTEGER };
    for (const seal of await selectSealsWithin(tx, companyId, stretch))
      if (!isGenuine(keys, seal))
        differences.push({
          where: `seal of ${seal.day} of company ${companyId}`,
          expected: `the signature of key ${seal.keyId}`,
          found: "another",
        });
    if (differences.length >= differencesMax) break;
  }
  return differences.slice(0, differencesMax);
}
