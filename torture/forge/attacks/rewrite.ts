import type { Tx } from "../../../src/database/database.ts";
import { type Query, sql } from "../../../src/database/sql.ts";
import { rechain, reseal, resum, retrail } from "../craft.ts";

/** Somebody else got the money of a transfer that is sealed: everywhere, and chained anew. */
export async function changeRecipient(tx: Tx, companyId: string): Promise<void> {
  await run(
    tx,
    sql`create temp table forged_entry on commit drop as
      select e.msisdn, e.subject_id, e.amount from wallet_entries e
      join transfers t on t.company_id = ${companyId} and t.id = e.subject_id and t.reference = 'person'`,
    sql`insert into wallets (msisdn) values (${accomplice}) on conflict do nothing`,
    sql`update wallets w set balance = balance - e.amount from forged_entry e where w.msisdn = e.msisdn`,
    sql`update wallets w set balance = balance + e.amount from forged_entry e where w.msisdn = ${accomplice}`,
    sql`update wallet_entries w set msisdn = ${accomplice} from forged_entry e
      where w.subject_id = e.subject_id and w.msisdn = e.msisdn`,
    sql`update transfers set msisdn = ${accomplice} where company_id = ${companyId} and reference = 'person'`,
  );
  await rechain(tx, companyId);
}

/** More came in than came in: the funding, its entry in the audit log, every balance and every sum after it. */
export async function changeFunding(tx: Tx, companyId: string): Promise<void> {
  const more = 20_000;
  await run(
    tx,
    sql`create temp table forged_funding on commit drop as
      select p.number, f.id, f.amount from fundings f
      join postings p on p.company_id = f.company_id and p.subject_id = f.id
      where f.company_id = ${companyId} and f.reference = 'bank 1'`,
    sql`update fundings f set amount = f.amount + ${more} from forged_funding g where f.company_id = ${companyId} and f.id = g.id`,
    sql`update postings p set amount = p.amount + ${more} from forged_funding g
      where p.company_id = ${companyId} and p.number = g.number`,
    sql`update postings p set available_after = available_after + ${more} from forged_funding g
      where p.company_id = ${companyId} and p.number >= g.number`,
    sql`update books set available = available + ${more}, external = external - ${more} where company_id = ${companyId}`,
    sql`update company_trail t set changes = replace(changes, g.amount::text, (g.amount + ${more})::text) from forged_funding g
      where t.company_id = ${companyId} and action = 'company.funded' and changes like '%bank 1%'`,
  );
  await rechain(tx, companyId);
  await resum(tx, companyId);
  await retrail(tx, { companyId });
}

/** A transfer that failed is erased with all that it left, and the numbers are closed up. */
export async function eraseTransfer(tx: Tx, companyId: string): Promise<void> {
  const of = sql`company_id = ${companyId}`;
  await run(
    tx,
    sql`create temp table forged_gone on commit drop as
      select p.number from postings p where ${of} and subject_id = (
        select t.id from transfers t join outcomes o on o.company_id = t.company_id and o.id = t.id
        where t.company_id = ${companyId} and o.status = 'failed' and t.batch_id is null order by t.id limit 1)`,
    sql`create temp table forged_transfer on commit drop as
      select distinct subject_id as id from postings where ${of} and number in (select number from forged_gone)`,
    sql`delete from postings where ${of} and number in (select number from forged_gone)`,
    sql`delete from outcomes where ${of} and id in (select id from forged_transfer)`,
    sql`delete from transfers where ${of} and id in (select id from forged_transfer)`,
    sql`create temp table forged_places on commit drop as
      select number, row_number() over (order by number) as nth from postings where ${of}`,
    sql`update postings p set number = -n.nth from forged_places n where ${of} and p.number = n.number`,
    sql`update postings set number = -number where ${of}`,
    sql`update postings p set available_after = a.after from (
        select number, sum(case when credit_account = 'available' then amount else -amount end) over (order by number) as after
        from postings where ${of} and 'available' in (debit_account, credit_account)) a
      where ${of} and a.number = p.number`,
    sql`update books set last_posting = (select max(number) from postings where ${of}) where ${of}`,
    sql`update seals s set number = n.nth from forged_places n where s.company_id = ${companyId} and n.number = s.number`,
    sql`update prices p set after_posting = (select count(*) from forged_places n where n.number <= p.after_posting)
      where p.company_id = ${companyId}`,
    sql`update statement_progress set sealed_to = (select max(number) from seals where ${of}) where ${of}`,
    ...eraseEventsOf(companyId),
  );
  await rechain(tx, companyId);
  await resum(tx, companyId);
  await reseal(tx, companyId);
}

/** Events of what was erased go, the others close up, and so does what names one. */
function eraseEventsOf(companyId: string): readonly Query[] {
  const of = sql`company_id = ${companyId}`;
  return [
    sql`with run as (delete from event_runs where ${of} returning *)
      insert into event_runs (company_id, last_number, topic, created_at, subject_ids, payloads)
      select r.company_id, r.last_number - cardinality(r.subject_ids) + x.place, r.topic, r.created_at, array[x.subject_id],
        case when x.payload is not null then array[x.payload] end
      from run r cross join lateral unnest(r.subject_ids, r.payloads) with ordinality as x(subject_id, payload, place)`,
    sql`delete from event_runs where ${of} and subject_ids && (select array_agg(id) from forged_transfer)`,
    sql`create temp table forged_events on commit drop as
      select last_number as was, row_number() over (order by last_number) as is_now from event_runs where ${of}`,
    sql`update event_runs e set last_number = -n.is_now from forged_events n where ${of} and e.last_number = n.was`,
    sql`update event_runs set last_number = -last_number where ${of}`,
    sql`delete from deliveries where ${of} and event_number not in (select was from forged_events)`,
    sql`update deliveries d set event_number = -n.is_now from forged_events n where ${of} and d.event_number = n.was`,
    sql`update deliveries set event_number = -event_number where ${of}`,
    sql`update event_cursors set last_event = (select count(*) from forged_events n where n.was <= last_event) where ${of}`,
    sql`update books set last_event = (select count(*) from forged_events) where ${of}`,
  ];
}

/** Nobody whom the tests pay otherwise. */
export const accomplice = "2250744444444";

export async function run(tx: Tx, ...queries: readonly Query[]): Promise<void> {
  for (const query of queries) await tx.query(query);
}
