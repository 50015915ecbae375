import { expect } from "vitest";
import { approvedPayment, deskOf, deskWith, payrollOf, somebody } from "../../test/desk.ts";
import { auditDifferences, test, untilSettled } from "../../test/fixtures.ts";
import type { Database } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import { balancesOf } from "../ledger/post.ts";
import { LeasedQueue } from "../queues/leased-queue.ts";
import { carryOut, carryOutCompany, nextCarryingOutMs, proposalQueue } from "./carry-out.ts";
import type { Desk } from "./desk.ts";
import { findParts, findProposalOf, getProposal } from "./find-proposals.ts";

const maker = somebody();

async function references(database: Database): Promise<string[]> {
  const rows = await database.query<{ reference: string }>(sql`
    select reference from transfers order by id`);
  return rows.map(({ reference }) => reference);
}

/** Holds what a statement locks until it is let go. */
async function hold(database: Database, lock: Query) {
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isHeld = () => {};
  const taken = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const ended = database.transaction(async (tx) => {
    await tx.query(lock);
    isHeld();
    await released;
  });
  await taken;
  return {
    async letGo() {
      letGo();
      await ended;
    },
  };
}

async function untilWaiting(database: Database, count: number): Promise<void> {
  await expect
    .poll(
      async () =>
        await database.query(sql`
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`),
    )
    .toHaveLength(count);
}

const names = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

test("a payroll goes out in batches, which its parts lead to", async ({ db, company }) => {
  const desk = await deskWith(db.database, company.id, maker);
  const { id } = await approvedPayment(desk, maker, company.id, payrollOf("june", 25));

  const done = await carryOut(desk, company.id, id, undefined, 10);

  expect(done).toMatchObject({ state: "carried_out", doneRows: 25 });
  expect(await references(db.database)).toEqual(names("june", 25));
  const parts = await findParts(db.database, company.id, id);
  expect(parts.map(({ firstRow, rowTotal }) => [firstRow, rowTotal])).toEqual([
    [0, 10],
    [10, 10],
    [20, 5],
  ]);
  const madeId = parts[1]?.madeId ?? "";
  expect(await findProposalOf(db.database, company.id, madeId)).toMatchObject({ id });
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("begun again after any part, by any node, it goes on where it was and pays nobody twice", async ({
  db,
  company,
}) => {
  const nodes = [deskOf(db.database), deskOf(db.database.fork())] as const;
  const { id } = await approvedPayment(nodes[0], maker, company.id, payrollOf("june", 40));
  let steps = 0;
  await carryOut(nodes[0], company.id, id, () => (steps += 1) <= 2, 7);
  expect(await references(db.database)).toHaveLength(14);

  await Promise.all(
    [...nodes, ...nodes].map((node) => carryOut(node, company.id, id, undefined, 7)),
  );

  expect(await references(db.database)).toEqual(names("june", 40));
  expect(await auditDifferences(db.database)).toEqual([]);
  await nodes[1].database.close();
});

test("a worker whose lease ran out while it was at work, and the one that took over, pay once", async ({
  db,
  company,
}) => {
  const [one, other] = [deskOf(db.database), deskOf(db.database.fork())];
  const { id } = await approvedPayment(one, maker, company.id, payrollOf("june", 30));
  const workerOf = (desk: Desk) =>
    new LeasedQueue({
      database: desk.database,
      queue: proposalQueue,
      leaseMs: 60_000,
      work: async () => void (await carryOut(desk, company.id, id, undefined, 10)),
      nextDueMs: nextCarryingOutMs,
    });
  const held = await hold(
    db.database,
    sql`select 1 from proposal_states where company_id = ${company.id} for update`,
  );
  const first = workerOf(one).work(company.id, () => true);
  await untilWaiting(db.database, 1);
  await db.database.execute(sql`
    update work set leased_until = now() - interval '1 second' where company_id = ${company.id}`);
  const second = workerOf(other).work(company.id, () => true);
  await untilWaiting(db.database, 2);
  await held.letGo();
  await Promise.all([first, second]);

  expect(await references(db.database)).toEqual(names("june", 30));
  expect(await auditDifferences(db.database)).toEqual([]);
  await other.database.close();
});

test("a worker that is cut off in the middle has paid nothing, and the next pays", async ({
  db,
  company,
}) => {
  const [desk, doomed] = [deskOf(db.database), deskOf(db.database.fork())];
  const { id } = await approvedPayment(desk, maker, company.id, payrollOf("june", 20));
  const held = await hold(
    db.database,
    sql`select 1 from books where company_id = ${company.id} for update`,
  );
  const lost = carryOut(doomed, company.id, id).catch((error: unknown) => error);
  await untilWaiting(db.database, 1);
  await db.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  await held.letGo();

  expect(await lost).toBeInstanceOf(Error);
  expect(await references(db.database)).toEqual([]);
  expect(await getProposal(db.database, company.id, id)).toMatchObject({ doneRows: 0 });
  await carryOutCompany(desk, company.id, () => true);
  expect(await references(db.database)).toEqual(names("june", 20));
  expect((await balancesOf(db.database, company.id)).in_flight).toBe(100_000);
  await doomed.database.close();
});

test("the running service carries out what was approved, also when nobody told it", async ({
  db,
  company,
  service,
}) => {
  expect(service.url).not.toBe("");
  const { id } = await approvedPayment(
    deskOf(db.database),
    maker,
    company.id,
    payrollOf("june", 3),
  );

  await expect
    .poll(async () => (await getProposal(db.database, company.id, id)).state)
    .toBe("carried_out");
  await untilSettled(db.database);
  expect(await auditDifferences(db.database)).toEqual([]);
});
