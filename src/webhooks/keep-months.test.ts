import { expect } from "vitest";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { patience, send, startReceiver, subscribe, untilAttempts } from "../../test/receiver.ts";
import { sqlState } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import { forgetMonth, makeMonths } from "./deliveries-store.ts";
import { forgetDeliveries, keepDeliveryMonths } from "./forget-deliveries.ts";

const days = { kept: 30, patience: 120 };
const completed = "transactions/completed";

test("a month leaves whole, 35 days after its end; what is unfinished or was repeated lately goes on", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, [completed]);
  for (const reference of ["r1", "r2", "r3", "r4"]) await send(service, company, reference);
  await untilAttempts(db.database, 4);
  const [first, second, third] = await numbersOf(db);
  const month = await makePastMonth(db, 4);
  await db.database.query(sql`
    insert into attempts (company_id, webhook_id, event_number, attempt, started_at, duration_ms)
    select company_id, webhook_id, event_number, 7, now() - interval '100 days', 5 from deliveries`);
  await moveInto(db, month);
  await db.database.query(sql`
    update deliveries set status = 'pending', next_attempt_at = now() where event_number = ${first}`);
  await db.database.query(sql`
    update deliveries set updated_at = now() - interval '7 days' where event_number = ${second}`);
  expect(await tableOf(db, third)).toBe(`deliveries_${month}`);

  expect(await keepDeliveryMonths(db.database)).toEqual([month]);

  expect(await numbersOf(db)).toEqual([first, second]);
  expect(await tableOf(db, first)).toBe("deliveries_default");
  const attempts = await db.database.query(sql`
    select event_number from attempts where attempt = 7 order by event_number`);
  expect(attempts).toEqual([{ event_number: first }, { event_number: second }]);
  expect(await tablesLike(db, month)).toEqual([]);

  // What was not finished is told, and then leaves like any other: 30 days after it ended.
  await db.database.query(sql`update event_cursors set due_at = now()`);
  await expect
    .poll(() => db.database.query(sql`select 1 from deliveries where status = 'pending'`), patience)
    .toEqual([]);
  await db.database.query(sql`update event_runs set created_at = now() - interval '99 days'`);
  await forgetDeliveries(db.database, company.id);
  expect(await numbersOf(db)).toEqual([first, second]);
  await db.database.query(sql`update deliveries set updated_at = now() - interval '31 days'`);
  await forgetDeliveries(db.database, company.id);
  expect(await numbersOf(db)).toEqual([]);
});

test("a month that ended less than 35 days ago stays", async ({ db }) => {
  const month = await makePastMonth(db, 1);
  const [row] = await db.database.query<{ ended: boolean }>(sql`
    select now() >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' + interval '35 days' as ended`);
  expect(row?.ended).toBe(false);

  expect(await keepDeliveryMonths(db.database)).toEqual([]);
  expect(await tablesLike(db, month)).toEqual([`attempts_${month}`, `deliveries_${month}`]);
});

test("a month of which much was repeated lately stays, but not for ever", async ({ db }) => {
  const company = await makeCompany(db.database);
  const month = await makePastMonth(db, 3);
  await insertDeliveries(db, company.id, 11);
  await moveInto(db, month);
  await db.database.query(sql`update deliveries set updated_at = now()`);

  expect(await forgetMonth(db.database, days, 10, 200)).toBeUndefined();
  expect(await forgetMonth(db.database, { ...days, patience: 36 }, 10, 200)).toBe(month);
  expect(await numbersOf(db)).toHaveLength(11);
});

test("months are made ahead, once; of one that the default table has rows of, none is made", async ({
  db,
}) => {
  const company = await makeCompany(db.database);
  expect(await makeMonths(db.database, 2, 200)).toBe(0);
  expect(await makeMonths(db.database, 4, 200)).toBe(2);
  expect(await makeMonths(db.database, 4, 200)).toBe(0);

  const [{ month } = { month: "" }] = await db.database.query<{ month: string }>(sql`
    select to_char(now() at time zone 'UTC', 'YYYY_MM') as month`);
  await db.database.query({
    text: `drop table deliveries_${month}, attempts_${month}`,
    values: [],
  });
  await insertDeliveries(db, company.id, 1);
  expect(await tableOf(db, 1)).toBe("deliveries_default");
  expect(await makeMonths(db.database, 4, 200)).toBe(0);
  await db.database.query(sql`delete from deliveries`);
  expect(await makeMonths(db.database, 4, 200)).toBe(1);
});

test("whoever reads deliveries is not disturbed: the month waits a moment and stays for now", async ({
  db,
}) => {
  const month = await makePastMonth(db, 4);
  await db.database.transaction(async (tx) => {
    await tx.query(sql`select 1 from deliveries limit 1`);
    const error = await forgetMonth(db.database, days, 10, 50).catch((refusal: unknown) => refusal);
    expect(sqlState(error)).toBe("55P03");
  });
  expect(await forgetMonth(db.database, days, 10, 200)).toBe(month);
});

test("two nodes at once forget a month once", async ({ db }) => {
  await makePastMonth(db, 4);
  await makeMonths(db.database, 2, 200);
  const both = await Promise.all([
    forgetMonth(db.database, days, 10, 2_000),
    forgetMonth(db.database, days, 10, 2_000),
  ]);
  expect(both.filter((month) => month !== undefined)).toHaveLength(1);
});

/** As housekeeping would have made it so many months ago. */
async function makePastMonth({ database }: TestDatabase, ago: number): Promise<string> {
  await makeMonths(database, 2, 200);
  const [row] = await database.query<{ month: string; from: string; to: string }>(sql`
    select to_char(m.month, 'YYYY_MM') as month, (m.month at time zone 'UTC')::text as from,
      ((m.month + interval '1 month') at time zone 'UTC')::text as to
    from (select date_trunc('month', now() at time zone 'UTC') - ${ago}::integer * interval '1 month' as month) as m`);
  if (row === undefined) throw new Error("no month");
  for (const table of ["deliveries", "attempts"])
    await database.query({
      text: `create table ${table}_${row.month} partition of ${table} for values from ('${row.from}') to ('${row.to}')`,
      values: [],
    });
  return row.month;
}

/** Lets everything have happened in that month. */
async function moveInto({ database }: TestDatabase, month: string): Promise<void> {
  await database.query(sql`
    update deliveries set created_at = to_date(${month}, 'YYYY_MM') + interval '10 days',
      updated_at = to_date(${month}, 'YYYY_MM') + interval '11 days'`);
  await database.query(sql`
    update attempts set started_at = to_date(${month}, 'YYYY_MM') + interval '10 days'`);
}

async function insertDeliveries({ database }: TestDatabase, companyId: string, count: number) {
  await database.query(sql`
    insert into deliveries (company_id, webhook_id, event_number, endpoint_id, subject_id, created_at, updated_at, status,
      attempts, tries)
    select ${companyId}::uuid, ${companyId}::uuid, n, ${companyId}::uuid, ${companyId}::uuid, now(), now(), 'delivered', 1, 1
    from generate_series(1, ${count}::integer) as n`);
}

async function numbersOf({ database }: TestDatabase): Promise<number[]> {
  const rows = await database.query<{ event_number: number }>(sql`
    select event_number from deliveries order by event_number`);
  return rows.map((row) => row.event_number);
}

async function tableOf({ database }: TestDatabase, number: number | undefined) {
  // On a cluster with the number of its part behind it.
  const rows = await database.query<{ name: string }>(sql`
    select regexp_replace(tableoid::regclass::text, '_\\d{6,}$', '') as name from deliveries where event_number = ${number}`);
  return rows[0]?.name;
}

async function tablesLike({ database }: TestDatabase, month: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    select relname::text as name from pg_class where relkind = 'r' and relname like ${`%${month}`} order by 1`);
  return rows.map(({ name }) => name);
}
