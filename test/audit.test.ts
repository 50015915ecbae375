import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlState } from "../src/database/errors.ts";
import { sql } from "../src/database/sql.ts";
import { ChargeClient } from "./charges.ts";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  makeDatabase,
  startService,
  type TestDatabase,
  untilSettled,
} from "./fixtures.ts";
import { send } from "./receiver.ts";
import { findSpoilt, moneyTables } from "./spoil.ts";

/**
 * Everything that somebody with all rights over the database could change by mistake or on purpose. Each of these
 * changes was once made alone, and the audit said that all was well.
 */
const rich = "2250711111111";
const stranger = "2250733333333";
let db: TestDatabase & { drop(): Promise<void> };
/** What the statements name: ids by what they are of. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  db = await makeDatabase();
  const service = await startService(db, {});
  const company = await makeCompany(db.database, { chargeFeeRatePpm: 10_000 });
  const other = await makeCompany(db.database);
  ids["company"] = company.id;
  ids["other"] = other.id;
  await makeCustomer(db.database, rich, "complete");
  await makeCustomer(db.database, "2250722222222", "pending");
  await send(service, company, "r1", { msisdn: rich });
  await send(service, company, "failed", { msisdn: stranger });
  await send(service, other, "r3", { msisdn: rich });
  const batch = await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: {
      transactions: [rich, stranger].map((msisdn) => ({
        type: "transfer",
        amount: 5_000,
        msisdn,
        reference: `batch ${msisdn}`,
      })),
    },
  });
  expect(batch.status).toBe(201);
  const charges = new ChargeClient(service, company);
  ids["paid"] = await charges.paid();
  await charges.refund(ids["paid"], { amount: 5_000 });
  ids["due"] = await charges.made({ externalId: "due" });
  await untilSettled(db.database);
  const failed = sql`select id from transfers where reference = 'failed'`;
  ids["failed"] = (await db.database.query<{ id: string }>(failed))[0]?.id ?? "";
  await service.stop();
});

afterAll(async () => {
  await db.drop();
});

test("books that nobody touched are in order", async () => {
  expect(await auditDifferences(db.database)).toEqual([]);
});

const ofCompany = "company_id = ':company'";
const statements: Readonly<Record<string, readonly string[]>> = {
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
    `update postings set created_at = created_at - interval '1 day' where ${ofCompany} and number = 2`,
  ],
  "the date of a funding": [`update fundings set created_at = created_at - interval '1 day'`],
  "an event deleted": [`delete from events where ${ofCompany} and number = 2`],
  "the last event deleted": [
    `delete from events where ${ofCompany} and number = (select last_event from books where ${ofCompany})`,
  ],
  "an event of another object": [
    `update events set subject_id = gen_random_uuid() where ${ofCompany} and number = 2`,
  ],
  "an event that tells something else": [
    `update events set payload = replace(payload, '"refunded":5000', '"refunded":0') where topic = 'charge/events'`,
  ],
  "a batch without transfers": [
    `insert into batches values (':company', gen_random_uuid(), null, 500, 0, 1, 1, 0, 'completed', now())`,
  ],
  "the fee of a charge that is due": [`update charges set fee = fee + 1 where id = ':due'`],
  "the end of a charge that is due": [
    `update charges set expires_at = expires_at + interval '2 days' where id = ':due'`,
  ],
  "a company without books": [`delete from books where company_id = ':other'`],
};

test.each(Object.entries(statements))("the audit sees %s", async (_, texts) => {
  const named = texts.map((text) =>
    text.replace(/:(\w+)'/g, (all, name) => (ids[name] === undefined ? all : `${ids[name]}'`)),
  );
  expect(await findSpoilt(db.database, ...named)).not.toEqual([]);
});

/** Columns that say nothing about money, or that nothing else in the database could contradict. */
const unwitnessed = new Set([
  "batches.sub_company_id",
  "batches.updated_at",
  "books.last_ms",
  "books.last_count",
  "charges.description",
  "charges.external_id",
  "charges.metadata",
  "charges.on_canceled_redirection_url",
  "charges.on_completed_redirection_url",
  "charges.sub_company_id",
  "charges.updated_at",
  "charge_transactions.created_at",
  "charge_transactions.error",
  "charge_transactions.msisdn_given",
  "events.created_at",
  "fundings.reference",
  "outcomes.failure_reason",
  "transfers.description",
  "transfers.metadata",
  "transfers.msisdn_has_plus",
  "transfers.reference",
  "transfers.sub_company_id",
  "wallets.may_overdraw",
  "wallet_entries.company_name",
  "wallet_entries.created_at",
  "wallet_entries.description",
  "wallet_entries.sub_company_logo_url",
  "wallet_entries.sub_company_name",
]);
/** Another value of the same type. */
const others: Readonly<Record<string, (column: string) => string>> = {
  bigint: (column) => `${column} + 100`,
  integer: (column) => `${column} + 100`,
  text: (column) => `${column} || '7'`,
  uuid: () => "gen_random_uuid()",
  boolean: (column) => `not ${column}`,
  bytea: (column) => `set_byte(${column}, 0, get_byte(${column}, 0) # 1)`,
  "timestamp with time zone": (column) => `${column} + interval '2 days'`,
};

test("the audit, or the database itself, sees any value of the books that is changed alone", async () => {
  const columns = await db.database.query<{ name: string; column: string; type: string }>(sql`
    select c.table_name as name, c.column_name as column,
      case when c.data_type = 'USER-DEFINED' then c.udt_name else c.data_type end as type
    from information_schema.columns c
    where c.table_schema = 'public' and c.table_name = any (${moneyTables})
    order by c.table_name, c.ordinal_position`);
  const unseen: string[] = [];
  let changed = 0;
  for (const { name, column, type } of columns) {
    if (unwitnessed.has(`${name}.${column}`)) continue;
    const rows = await db.database.query<{ at: string }>({
      text: `select ctid::text as at from ${name} where ${column} is not null order by random() limit 3`,
      values: [],
    });
    for (const { at } of rows) {
      const value = others[type]?.(column) ?? (await otherLabel(type, column));
      changed += 1;
      const text = `update ${name} set ${column} = ${value} where ctid = '${at}'`;
      if (!(await isSeen(text))) unseen.push(text);
    }
  }
  expect(changed).toBeGreaterThan(100);
  expect(unseen).toEqual([]);
});

/** Another label of an enumerated type. */
async function otherLabel(type: string, column: string): Promise<string> {
  const [row] = await db.database.query<{ labels: string[] }>(sql`
    select array_agg(enumlabel::text) as labels from pg_enum join pg_type t on t.oid = enumtypid where t.typname = ${type}`);
  const labels = row?.labels ?? [];
  const next = labels.map(
    (label, place) => `when '${label}' then '${labels[(place + 1) % labels.length]}'`,
  );
  return `(case ${column}::text ${next.join(" ")} end)::${type}`;
}

async function isSeen(text: string): Promise<boolean> {
  try {
    return (await findSpoilt(db.database, text)).length > 0;
  } catch (error) {
    const state = error instanceof Error ? sqlState(error.cause ?? error) : undefined;
    // A constraint: integrity (class 23).
    if (state?.startsWith("23")) return true;
    throw error;
  }
}
