import { expect, onTestFinished } from "vitest";
import { deskOf, member } from "../../test/desk.ts";
import {
  auditDifferences,
  startService,
  type TestDatabase,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { reviewed, sendByKey, statusesOf } from "../../test/held.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { freezeCompany } from "../companies/freeze-company.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { balancesOf } from "../ledger/post.ts";
import { operator } from "../trail/actor.ts";
import { approveHeld, type HeldRequest, refuseHeld } from "./decide-held.ts";
import { HeldChanged } from "./errors.ts";
import { countHeld, findHeld } from "./find-held.ts";
import { setKeysAloneMax } from "./rules.ts";

const by = operator("a test");

/** A second node with workers of its own. */
async function secondNode(db: TestDatabase) {
  const service = await startService(db);
  const database = db.database.fork();
  onTestFinished(async () => {
    await service.stop();
    await database.close();
  });
  return { service, desk: deskOf(database) };
}

test("of twenty decisions at once on two nodes, mixed, one holds for each transfer", async ({
  db,
  service,
  company,
}) => {
  const there = await secondNode(db);
  const here = deskOf(db.database);
  await setKeysAloneMax(db.database, company.id, 0, by);
  for (let index = 0; index < 12; index += 1) await sendByKey(service, company, `t-${index}`);
  const request = await reviewed(db.database, company.id);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, index) => {
      const desk = index % 2 === 0 ? here : there.desk;
      const mine: HeldRequest = { ...request, by: await member(db.database, company.id) };
      return index % 4 < 2
        ? approveHeld(desk, mine)
        : refuseHeld(desk, { ...mine, comment: "non" });
    }),
  );

  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(HeldChanged);
  await untilSettled(db.database);
  const ended = await statusesOf(service, company);
  expect([{ completed: 12 }, { failed: 12 }]).toContainEqual(ended);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("single ones decided both ways at once, while more come, while others settle and while the company is frozen", async ({
  db,
  service,
  company,
}) => {
  const there = await secondNode(db);
  const here = deskOf(db.database);
  const count = 16;
  await setKeysAloneMax(db.database, company.id, 0, by);
  for (let index = 0; index < count; index += 1) await sendByKey(service, company, `h-${index}`);
  const held = (await findHeld(db.database, company.id))?.rows ?? [];
  await setKeysAloneMax(db.database, company.id, null, by);
  const decide = async (transferId: string, index: number) => {
    const scope = { kind: "transfer", transferId } as const;
    const request = await reviewed(
      db.database,
      company.id,
      await member(db.database, company.id),
      scope,
    );
    const other = { ...request, by: await member(db.database, company.id), comment: "non" };
    const [one, two] = index % 2 === 0 ? [here, there.desk] : [there.desk, here];
    return Promise.allSettled([approveHeld(one, request), refuseHeld(two, other)]);
  };
  // What is accepted meanwhile is settled at once, and moves settled_upto past those that are let go after it.
  const accepting = Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      sendByKey(index % 2 === 0 ? service : there.service, company, `n-${index}`),
    ),
  );
  const decided = await Promise.all(held.map(({ id }, index) => decide(id, index)));
  await accepting;
  for (const pair of decided)
    expect(pair.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await untilSettled(db.database);
  const { completed = 0, failed = 0 } = await statusesOf(service, company);
  expect(completed + failed).toBe(count + 30);
  expect(await countHeld(db.database, company.id)).toBe(0);
  expect((await balancesOf(db.database, company.id)).in_flight).toBe(0);

  await setKeysAloneMax(db.database, company.id, 0, by);
  for (let index = 0; index < 6; index += 1) await sendByKey(service, company, `f-${index}`);
  const request = await reviewed(db.database, company.id);
  const raced = await Promise.allSettled([
    approveHeld(here, request),
    freezeCompany(db.database, new Signals(db.url, db.database), company.id, by),
  ]);
  await untilSettled(db.database);
  expect(await countHeld(db.database, company.id)).toBe(raced[0]?.status === "fulfilled" ? 0 : 6);
  expect(await auditDifferences(db.database)).toEqual([]);
}, 60_000);

test("a release waits for whoever settles, and what it lets go is not passed by", async ({
  db,
  service,
  company,
}) => {
  await setKeysAloneMax(db.database, company.id, 0, by);
  await sendByKey(service, company, "old");
  const request = await reviewed(db.database, company.id);
  await setKeysAloneMax(db.database, company.id, null, by);
  await sendByKey(service, company, "new");
  await expect.poll(() => statusesOf(service, company)).toEqual({ pending: 1, completed: 1 });

  const unlock = await holdLock(db, `select 1 from settling where company_id = '${company.id}'`);
  const release = approveHeld(deskOf(db.database), request);
  await untilLockAwaited(db.database);
  await unlock();
  await release;
  await expect.poll(() => statusesOf(service, company)).toEqual({ completed: 2 });
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("a decision that is cut off before its commit has decided nothing", async ({
  db,
  service,
  company,
}) => {
  await setKeysAloneMax(db.database, company.id, 0, by);
  await sendByKey(service, company, "rent");
  const request = await reviewed(db.database, company.id);
  const unlock = await holdLock(db, `select 1 from settling where company_id = '${company.id}'`);
  const release = approveHeld(deskOf(db.database), request);
  const cut = expect(release).rejects.toThrow();
  await untilLockAwaited(db.database);
  await db.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%end_hold%'`);
  await cut;
  await unlock();
  expect(await countHeld(db.database, company.id)).toBe(1);
  expect(await db.database.query(sql`select 1 from held_decisions`)).toEqual([]);
  await approveHeld(deskOf(db.database), request);
  await expect.poll(() => statusesOf(service, company)).toEqual({ completed: 1 });
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("forty payouts at once on two nodes use up the allowance to the franc and no further", async ({
  db,
  service,
  company,
}) => {
  const there = await secondNode(db);
  await setKeysAloneMax(db.database, company.id, 75_000, by);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      sendByKey(index % 2 === 0 ? service : there.service, company, `t-${index}`),
    ),
  );
  expect(answers.every(({ status }) => status === 201)).toBe(true);
  await untilSettled(db.database);
  expect(await statusesOf(service, company)).toEqual({ pending: 25, completed: 15 });
  expect(
    await db.database.query(sql`select sum(francs)::integer as spent from keys_alone_hours`),
  ).toEqual([{ spent: 75_000 }]);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("a company without the rule is accepted and settled without a look at what belongs to it", async ({
  db,
  service,
  company,
}) => {
  await db.database.transaction(async (tx) => {
    await tx.query(sql`
      lock table held_transfers, held_decisions, keys_alone_hours in access exclusive mode`);
    const { status, body } = await sendByKey(service, company, "rent");
    expect(status).toBe(201);
    await expect.poll(async () => (await tx.query(sql`select 1 from outcomes`)).length).toBe(1);
    expect(body.status).toBe("pending");
  });
  expect(await statusesOf(service, company)).toEqual({ completed: 1 });
});
