import { eventByEvent } from "./event-by-event.ts";

/** Has money from everybody. */
export const rich = "2250711111111";

const ofCompany = "company_id = ':company'";
const stranger = "01a1e9c7-0000-7000-8000-000000000001";

/** The posting of 500 francs that left for outside, for the row of this table, and the books after it. */
function movedOut(event: string, table: string): readonly string[] {
  return [
    `insert into postings select company_id, last_posting + 1, (select id from ${table} where ${ofCompany} and amount = 500), 500,
      available - 500, now(), 'company.${event}', 'available', 'external' from books where ${ofCompany}`,
    `update books set available = available - 500, external = external + 500, last_posting = last_posting + 1 where ${ofCompany}`,
  ];
}

/**
 * Everything that somebody with all rights over the database could change by mistake or on purpose. Each of these
 * changes was once made alone, and the audit said that all was well.
 */
export const forgeries: Readonly<Record<string, readonly string[]>> = {
  "postings in a way in which no money moves": [
    `update postings set event = 'charge.paid' where ${ofCompany} and event = 'transfer.reserved'`,
  ],
  "a funding that nobody paid in": [
    `insert into postings select company_id, number + 1, gen_random_uuid(), 500, available_after + 500, now(),
      'company.funded', 'external', 'available' from postings where ${ofCompany} order by number desc limit 1`,
    `update books set available = available + 500, external = external - 500, last_posting = last_posting + 1 where ${ofCompany}`,
  ],
  "a funding that nobody paid in, with its row and its posting": [
    `insert into fundings select ':company', gen_random_uuid(), 500, now()`,
    `insert into postings select company_id, number + 1, (select id from fundings where ${ofCompany} and amount = 500), 500,
      available_after + 500, now(), 'company.funded', 'external', 'available'
      from postings where ${ofCompany} order by number desc limit 1`,
    `update books set available = available + 500, external = external - 500, last_posting = last_posting + 1 where ${ofCompany}`,
  ],
  "a withdrawal that nobody made, with its row and its posting": [
    `insert into withdrawals values (':company', gen_random_uuid(), 500, 'bank 99', null, now())`,
    ...movedOut("withdrawn", "withdrawals"),
  ],
  "a withdrawal without its row": [
    `delete from withdrawals where ${ofCompany}`,
    `delete from company_trail where ${ofCompany} and action = 'company.withdrawn'`,
  ],
  "an adjustment that nobody made, with its row and its posting": [
    `insert into adjustments values (':company', gen_random_uuid(), 'available', 'external', 500, 'case 99', 'x', now())`,
    ...movedOut("adjusted", "adjustments"),
  ],
  "an adjustment of what is in flight": [
    `update postings set credit_account = 'in_flight' where ${ofCompany} and event = 'company.adjusted'`,
  ],
  "a withdrawal that was posted twice": [
    `insert into postings select company_id, (select last_posting + 1 from books where ${ofCompany}), subject_id, amount,
      (select available - 2500 from books where ${ofCompany}), now(), event, debit_account, credit_account
      from postings where ${ofCompany} and event = 'company.withdrawn'`,
    `update books set available = available - 2500, external = external + 2500, last_posting = last_posting + 1 where ${ofCompany}`,
  ],
  "a ledger key that nobody made": [
    `insert into ledger_keys values (md5('forged'), sha256('forged'), now())`,
  ],
  "a ledger key that was removed": [`delete from ledger_keys`],
  "another reason of an adjustment": [`update adjustments set reason = 'agreed with Awa'`],
  "a price that nobody set": [
    `insert into prices select company_id, 3, now(), after_posting, after_charge, 0, 0, 0, null, 1, 1000, 0, 1, 1000
      from prices where ${ofCompany} and number = 2`,
    `update books set price = 3 where ${ofCompany}`,
    `update companies set (transfer_fee_rate_ppm, transfer_fee_max, transfer_amount_min, transfer_amount_max,
      charge_fee_rate_ppm, charge_amount_max) = (0, null, 1, 1000, 0, 1000) where ${ofCompany}`,
  ],
  "the price that held before, so that an old fee was right": [
    `update prices set transfer_fee_flat = 100 where ${ofCompany} and number = 1`,
  ],
  "fees and limits of a company, past its prices": [
    `update companies set transfer_amount_max = 900000 where ${ofCompany}`,
  ],
  "a transfer at another fee than that of its price, everywhere": [
    `update transfers set fee = 0 where reference = 'at a price'`,
    `update postings set amount = 5000 where subject_id = (select id from transfers where reference = 'at a price')
      and event = 'transfer.reserved'`,
  ],
  "postings of a transfer that does not exist": [
    `insert into postings select company_id, number + 1, gen_random_uuid(), 500, null, now(),
      'transfer.completed', 'in_flight', 'fees' from postings where ${ofCompany} order by number desc limit 1`,
    `insert into postings select company_id, number + 1, gen_random_uuid(), 500, (select available - 500 from books where ${ofCompany}), now(),
      'transfer.reserved', 'available', 'in_flight' from postings where ${ofCompany} order by number desc limit 1`,
    `update books set available = available - 500, fees = fees + 500, last_posting = last_posting + 2 where ${ofCompany}`,
  ],
  "entries from wallet to wallet": [
    `insert into wallet_entries select msisdn, gen_random_uuid(), 'company.funded', v.amount, ':company', now(), 'Shop'
      from (values ('${rich}', -50), ('2250722222222', 50)) as v(msisdn, amount)`,
    `update wallets set balance = balance + case msisdn when '${rich}' then -50 else 50 end where msisdn in ('${rich}', '2250722222222')`,
  ],
  "an entry without a wallet": [`delete from wallets where msisdn = '${rich}'`],
  "an entry that names another company": [
    `update wallet_entries set company_id = ':other' where event = 'charge.paid'`,
  ],
  "a wallet that may overdraw, and does": [
    `update wallets set may_overdraw = true, balance = -5 where msisdn = '2250722222222'`,
    `insert into wallet_entries values ('2250722222222', gen_random_uuid(), 'charge.paid', -5, ':company', now(), 'Shop')`,
  ],
  "a refund to another phone than the payer's": [
    `update charge_transactions set msisdn = '${rich}' where type = 'refund'`,
    `update wallet_entries set msisdn = '${rich}' where event = 'charge.refunded'`,
    `update wallets set balance = balance + case msisdn when '${rich}' then 5000 else -5000 end where msisdn in ('${rich}', '2250700000000')`,
  ],
  "a failed transfer erased with its postings, and the numbers closed up": [
    `delete from postings where subject_id = ':failed'`,
    `delete from transfers where id = ':failed'`,
    `delete from outcomes where id = ':failed'`,
    `create temp table renumbered on commit drop as
      select number, row_number() over (order by number) as nth from postings where ${ofCompany}`,
    `update postings p set number = -r.nth from renumbered r where ${ofCompany} and p.number = r.number`,
    `update postings set number = -number where ${ofCompany}`,
    `update postings p set available_after = a.after from (
      select number, sum(case when credit_account = 'available' then amount else -amount end) over (order by number) as after
      from postings where ${ofCompany} and 'available' in (debit_account, credit_account)) a
      where ${ofCompany} and a.number = p.number`,
    `update books set last_posting = last_posting - 2 where ${ofCompany}`,
  ],
  "the balance on the last line of a statement": [
    `update postings set available_after = available_after + 1 where ${ofCompany} and number = (
      select max(number) from postings where ${ofCompany} and available_after is not null)`,
  ],
  "the date of a posting": [
    `update postings set created_at = now() - interval '1 day' where ${ofCompany} and number = 2`,
  ],
  "the date of a funding": [`update fundings set created_at = now() - interval '1 day'`],
  "an event deleted": [
    eventByEvent,
    `delete from event_runs where ${ofCompany} and last_number = 2`,
  ],
  "the last event deleted": [
    eventByEvent,
    `delete from event_runs where ${ofCompany} and last_number = (select last_event from books where ${ofCompany})`,
  ],
  "a run of events with one less": [
    `update event_runs set subject_ids = trim_array(subject_ids, 1) where cardinality(subject_ids) > 1`,
  ],
  "a number that two events have": [
    `update event_runs set subject_ids = '${stranger}'::uuid || subject_ids where ${ofCompany} and last_number = (
      select max(last_number) from event_runs where ${ofCompany} and payloads is null)`,
  ],
  "an event of another object": [
    eventByEvent,
    `update event_runs set subject_ids = array['${stranger}'::uuid] where ${ofCompany} and last_number = 2`,
  ],
  "an event that tells something else": [
    eventByEvent,
    `update event_runs set payloads = array[replace(payloads[1], '"refunded":5000', '"refunded":0')] where topic = 'charge/events'`,
  ],
  "an end of a batch that was not told": [
    eventByEvent,
    `delete from event_runs where topic = 'batches/completed'`,
    // Others have its number, so that none is missing.
    `create temp table behind on commit drop as select company_id, last_number from event_runs where ${ofCompany}`,
    `update event_runs e set last_number = -r.nth from (
      select last_number, row_number() over (order by last_number) as nth from behind) r
      where ${ofCompany} and e.last_number = r.last_number`,
    `update event_runs set last_number = -last_number where ${ofCompany}`,
    `update books set last_event = last_event - 1 where ${ofCompany}`,
  ],
  "another end of a batch": [
    eventByEvent,
    `update event_runs set payloads = array[replace(payloads[1], '"failedCount":1', '"failedCount":0')]
      where topic = 'batches/completed'`,
  ],
  "a batch without transfers": [
    `insert into batches values (':company', gen_random_uuid(), null, 500, 0, 1, 1, 0, 'completed', now())`,
  ],
  "the fee of a charge that is due": [`update charges set fee = fee + 1 where id = ':due'`],
  "the end of a charge that is due": [
    `update charges set expires_at = now() + interval '3 days' where id = ':due'`,
  ],
  "a company without books": [`delete from books where company_id = ':other'`],
};
