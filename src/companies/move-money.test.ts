import { describe, expect, onTestFinished } from "vitest";
import { auditDifferences, makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { balanceMax } from "../kernel/amount.ts";
import {
  AccountTooLow,
  FrozenBooks,
  FundingTooLarge,
  MovementReferenceUsed,
  SameAccount,
} from "../ledger/errors.ts";
import { setFrozen } from "../ledger/freeze.ts";
import { balancesOf } from "../ledger/post.ts";
import { readTrail } from "../trail/read-trail.ts";
import { CompanyNotFound } from "./errors.ts";
import { adjustBooks, withdrawFromCompany } from "./move-money.ts";

const memo = "to the bank";
const nobody = "00000000-0000-7000-8000-000000000000";

function otherNode({ url }: TestDatabase): Database {
  const database = new Database({ url, poolSize: 5 });
  onTestFinished(() => database.close());
  return database;
}

describe("a withdrawal", () => {
  const withdraw = (database: Database, companyId: string, amount: number, reference: string) =>
    withdrawFromCompany(database, new Date(), { companyId, amount, reference, memo });

  test("happens once for its reference, for ever; with another amount it is refused, and another company may use it too", async ({
    db: { database },
  }) => {
    const [one, other] = [await makeCompany(database), await makeCompany(database)];
    const first = await withdraw(database, one.id, 5_000, "bank 17");
    expect(first).toMatchObject({ balance: 995_000, doneAt: undefined });
    await withdraw(database, one.id, 7_000, "bank 18");
    const again = await withdraw(database, one.id, 5_000, "bank 17");
    expect(again).toEqual({ id: first.id, balance: 988_000, doneAt: expect.any(Date) });
    await expect(withdraw(database, one.id, 5_001, "bank 17")).rejects.toThrow(
      MovementReferenceUsed,
    );
    expect(await withdraw(database, other.id, 5_000, "bank 17")).toMatchObject({
      balance: 995_000,
    });

    expect(await balancesOf(database, one.id)).toMatchObject({
      available: 988_000,
      external: -988_000,
    });
    const [entry] = await readTrail(database, {
      companyId: other.id,
      since: undefined,
      before: undefined,
      limit: 1,
    });
    expect(entry).toMatchObject({
      action: "company.withdrawn",
      subject: expect.stringMatching(/^wdr_[0-9a-f]{32}$/),
      changes: {
        balance: { from: 1_000_000, to: 995_000 },
        amount: { from: null, to: 5_000 },
        reference: { from: null, to: "bank 17" },
        memo: { from: null, to: memo },
      },
    });
    expect(await auditDifferences(database)).toEqual([]);
  });

  test("sent by two nodes at once, ten times, held up together, takes the money out once", async ({
    db,
    company,
  }) => {
    const nodes = [db.database, otherNode(db)];
    const release = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
    const sent = nodes.flatMap((node) =>
      Array.from({ length: 5 }, () => withdraw(node, company.id, 400_000, "bank 17")),
    );
    // One waits for the books and the others for its reference.
    await untilLockAwaited(db.database, 5);
    await release();

    const results = await Promise.all(sent);
    expect(results.filter(({ doneAt }) => doneAt === undefined)).toHaveLength(1);
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(results.every(({ balance }) => balance === 600_000)).toBe(true);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("of one that was taken back, the reference is free: a node that dies between the row and the posting took nothing", async ({
    db,
    company,
  }) => {
    const release = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
    const lost = withdraw(otherNode(db), company.id, 5_000, "bank 17").catch(
      (error: unknown) => error,
    );
    await untilLockAwaited(db.database);
    await db.database.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    expect(await lost).toBeInstanceOf(Error);
    await release();

    expect(await withdraw(db.database, company.id, 5_000, "bank 17")).toMatchObject({
      balance: 995_000,
      doneAt: undefined,
    });
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("of more than there is, of a frozen company or of none is refused with what to do, and its reference stays free", async ({
    db: { database },
    company,
  }) => {
    const tooMuch = withdraw(database, company.id, 1_000_001, "bank 17");
    await expect(tooMuch).rejects.toThrow(AccountTooLow);
    await expect(tooMuch).rejects.toThrow("available holds 1000000 francs, and 1000001 would");
    await database.transaction((tx) => setFrozen(tx, company.id, true));
    await expect(withdraw(database, company.id, 1, "bank 17")).rejects.toThrow(FrozenBooks);
    await database.transaction((tx) => setFrozen(tx, company.id, false));
    await expect(withdraw(database, nobody, 1, "bank 17")).rejects.toThrow(CompanyNotFound);

    expect(await withdraw(database, company.id, 1_000_000, "bank 17")).toMatchObject({
      balance: 0,
      doneAt: undefined,
    });
  });

  test("two at once of all there is: one of them is made", async ({ db, company }) => {
    const release = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
    const sent = ["a", "b"].map((reference) =>
      withdraw(db.database, company.id, 600_000, reference).catch((error: unknown) => error),
    );
    await untilLockAwaited(db.database, 2);
    await release();

    const results = await Promise.all(sent);
    expect(results.filter((result) => result instanceof AccountTooLow)).toHaveLength(1);
    expect(await balancesOf(db.database, company.id)).toMatchObject({ available: 400_000 });
    expect(await auditDifferences(db.database)).toEqual([]);
  });
});

describe("an adjustment", () => {
  const request = {
    from: "available",
    to: "fees",
    amount: 2_500,
    reference: "case 12",
    reason: "the fee of August was forgotten",
  } as const;

  test("moves money between any two accounts that nothing else counts, and its reason is in the trail", async ({
    db: { database },
    company: { id: companyId },
  }) => {
    const pairs = [
      ["available", "fees"],
      ["fees", "external"],
      ["external", "available"],
      ["available", "external"],
      ["external", "fees"],
      ["fees", "available"],
    ] as const;
    for (const [index, [from, to]] of pairs.entries())
      await adjustBooks(database, new Date(), {
        ...request,
        companyId,
        from,
        to,
        reference: `case ${index}`,
      });

    expect(await balancesOf(database, companyId)).toEqual({
      available: 1_000_000,
      in_flight: 0,
      fees: 0,
      external: -1_000_000,
      paid_out: 0,
    });
    const trail = await readTrail(database, {
      companyId,
      since: undefined,
      before: undefined,
      limit: 10,
    });
    expect(trail.map(({ action }) => action)).toEqual([
      ...pairs.map(() => "company.adjusted"),
      "company.created",
    ]);
    expect(trail[5]).toMatchObject({
      subject: expect.stringMatching(/^adj_[0-9a-f]{32}$/),
      changes: {
        fromAccount: { to: "available" },
        toAccount: { to: "fees" },
        amount: { to: 2_500 },
        reason: { to: request.reason },
      },
    });
    expect(await auditDifferences(database)).toEqual([]);
  });

  test("sent by two nodes at once under one reference, held up together, is made once", async ({
    db,
    company,
  }) => {
    const release = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
    const sent = [db.database, otherNode(db)].flatMap((node) =>
      Array.from({ length: 3 }, () =>
        adjustBooks(node, new Date(), { ...request, companyId: company.id }),
      ),
    );
    await untilLockAwaited(db.database, 4);
    await release();

    const results = await Promise.all(sent);
    expect(results.filter(({ doneAt }) => doneAt === undefined)).toHaveLength(1);
    expect(await balancesOf(db.database, company.id)).toMatchObject({
      available: 997_500,
      fees: 2_500,
    });
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("that the books do not allow is refused with a sentence, and moves nothing", async ({
    db: { database },
    company: { id: companyId },
  }) => {
    const adjust = (change: object) =>
      adjustBooks(database, new Date(), { ...request, companyId, ...change });

    await expect(adjust({ to: "available" })).rejects.toThrow(SameAccount);
    await expect(adjust({ from: "fees", to: "available" })).rejects.toThrow(
      "The account fees holds 0 francs, and 2500 would leave it",
    );
    await expect(adjust({ from: "external", to: "available", amount: balanceMax })).rejects.toThrow(
      FundingTooLarge,
    );
    for (const untouchable of ["in_flight", "paid_out"])
      await expect(adjust({ to: untouchable })).rejects.toThrow();
    await adjust({});
    await expect(adjust({ to: "external" })).rejects.toThrow(MovementReferenceUsed);
    expect(await adjust({})).toMatchObject({ balance: 997_500, doneAt: expect.any(Date) });
    expect(await auditDifferences(database)).toEqual([]);
  });
});

test("withdrawals, adjustments and prices cannot be changed, deleted or truncated", async ({
  db: { database },
  company: { id: companyId },
}) => {
  const money = { companyId, amount: 5, reference: "once" };
  await withdrawFromCompany(database, new Date(), { ...money, memo: null });
  const accounts = { from: "available", to: "fees", reason: "x" } as const;
  await adjustBooks(database, new Date(), { ...money, ...accounts });
  for (const table of ["withdrawals", "adjustments", "prices"])
    for (const statement of [
      `update ${table} set company_id = company_id`,
      `delete from ${table}`,
      `truncate ${table}`,
    ])
      await expect(database.query({ text: statement, values: [] })).rejects.toThrow("append-only");
});
