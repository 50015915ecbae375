import { expect } from "vitest";
import { signIn } from "../../test/console.ts";
import {
  auditDifferences,
  box,
  makeCompany,
  makeCustomer,
  type TestDatabase,
  test,
} from "../../test/fixtures.ts";
import { passDays } from "../../test/history.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import { sealAll, sealingOf } from "../../test/seals.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { trailTimeChecks } from "./audit-backdating.ts";
import { chainEntries } from "./chain-trails.ts";
import { openLedgerKey } from "./ledger-key.ts";
import { sharedTrails, type TrailName } from "./trail-chain.ts";

const names = new Set(trailTimeChecks.map(({ name }) => name));
const minuteMs = 60_000;

/** An entry of each trail once more, as if it had been written so much earlier; as whoever owns the database can. */
const tables = {
  company_trail: "company_id, operator, key_id, person_id, address, via, action, subject, changes",
  staff_trail: "person_id, operator, by_person, address, via, action, changes",
  customer_trail: "msisdn, operator, via, action, changes",
  installation_trail: "operator, via, action, subject, changes",
} as const;

async function insertBack({ database }: TestDatabase, table: string, ms: number): Promise<void> {
  const columns = tables[table as keyof typeof tables];
  await database.query({
    text: `insert into ${table} (id, ${columns})
      select ordered_id((extract(epoch from time_of_id(id)) * 1000)::bigint - $1, 0, 7), ${columns} from ${table}
      order by id desc limit 1 returning 1`,
    values: [ms],
  });
}

async function wrongTimes({ database }: TestDatabase): Promise<readonly string[]> {
  const differences = await auditDifferences(database);
  return differences.filter(({ check }) => names.has(check)).map(({ where }) => where);
}

test("an entry that is written into an audit log later, and dated back, is told before it is chained and afterwards", async ({
  db,
}) => {
  const { database } = db;
  const { id: companyId } = await makeCompany(database);
  await makeCustomer(database, "2250700000001");
  await signIn(db, companyId, "owner");
  const key = await openLedgerKey(database, box);
  const chain = async () => {
    for (const trail of [{ companyId }, ...sharedTrails] satisfies TrailName[])
      await chainEntries(database, key, trail);
  };
  await chain();

  for (const table of Object.keys(tables)) await insertBack(db, table, 11 * minuteMs);

  const told = (entry: string) => [
    expect.stringMatching(new RegExp(`^${entry} of the trail of company `)),
    ...["customers", "installation", "staff"].map((trail) =>
      expect.stringMatching(new RegExp(`^${entry} of the trail of ${trail}$`)),
    ),
  ];
  expect(await wrongTimes(db)).toEqual(told("an entry that is not chained"));
  await chain();
  expect(await wrongTimes(db)).toEqual(told("entry \\d+"));
});

test("an entry that is dated into a sealed day is told, however near it is to the last one", async ({
  db,
}) => {
  const { database } = db;
  const { id: companyId } = await makeCompany(database, { fund: 1_000 });
  await passDays(database, companyId, 2);
  const sealing = await sealingOf(db);
  const [seal] = await sealAll(sealing, companyId);
  expect(seal?.trails?.company.number).toBeGreaterThan(0);
  expect(await wrongTimes(db)).toEqual([]);

  // As if all that is sealed had been written on that day.
  await database.transaction(async (tx) => {
    await passTriggers(tx);
    await tx.query(sql`
      update company_trail set id = ordered_id((extract(epoch from time_of_id(id) - interval '2 days') * 1000)::bigint, 0, 7)
      where company_id = ${companyId}`);
  });
  await insertBack(db, "company_trail", 1);

  const where = `an entry that is not chained of the trail of company ${companyId}`;
  expect(await wrongTimes(db)).toEqual([where]);
  await chainEntries(database, sealing.key, { companyId });
  expect(await wrongTimes(db)).toEqual([
    expect.stringMatching(/^entry \d+ of the trail of company/),
  ]);
});

test("no entry is dated before what was closed of the books, whatever the clock does", async ({
  db,
}) => {
  const { database } = db;
  const { id: companyId } = await makeCompany(database, { fund: 1_000 });
  await database.query(sql`
    update books set posted_at = date_trunc('day', now()) + interval '2 days' where company_id = ${companyId} returning 1`);
  const entry = { action: "company.work_woken", subject: "one" } as const;
  await database.transaction((tx) => recordForCompany(tx, companyId, operator("a test"), entry));

  const [last] = await database.query(sql`
    select time_of_id(t.id) >= b.posted_at as "isAfter" from company_trail t join books b on b.company_id = t.company_id
    order by t.id desc limit 1`);
  expect(last).toEqual({ isAfter: true });
});

test("what took a while to commit, and what comes when the clock was set back, is in order", async ({
  db,
}) => {
  const { database } = db;
  const { id: companyId } = await makeCompany(database);
  const key = await openLedgerKey(database, box);
  const entry = { action: "company.work_woken", subject: "one" } as const;
  const note = () =>
    database.transaction((tx) => recordForCompany(tx, companyId, operator("a test"), entry));
  await chainEntries(database, key, { companyId });

  await insertBack(db, "company_trail", 9 * minuteMs);
  await chainEntries(database, key, { companyId });
  // The clock was an hour ahead when this was written.
  await insertBack(db, "company_trail", -60 * minuteMs);
  await chainEntries(database, key, { companyId });
  await note();
  await chainEntries(database, key, { companyId });

  expect(await wrongTimes(db)).toEqual([]);
  expect(await database.query(sql`select 1 from company_trail where number is null`)).toEqual([]);
});
