import { expect, onTestFinished } from "vitest";
import { makeCompany, test } from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { setBack } from "../../test/set-back.ts";
import { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { QuotaExceeded } from "./errors.ts";
import { spendQuota } from "./spend-quota.ts";

const quota = { name: "customer_checks", max: 10 } as const;

test("of fifty at once on two nodes exactly as many pass as the quota says", async ({ db }) => {
  const { id } = await makeCompany(db.database);
  const other = new Database({ url: db.url, poolSize: 5 });
  onTestFinished(() => other.close());
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, place) =>
      spendQuota(place % 2 === 0 ? db.database : other, id, quota),
    ),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(QuotaExceeded);
});

test("of two who read the last of it at the same moment one passes", async ({ db }) => {
  const { id } = await makeCompany(db.database);
  for (let count = 0; count < 9; count += 1) await spendQuota(db.database, id, quota);
  const release = await holdLock(db, `select 1 from quotas where company_id = '${id}'`);
  const both = Promise.allSettled([1, 2].map(() => spendQuota(db.database, id, quota)));
  await untilLockAwaited(db.database, 2);
  await release();
  expect((await both).map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("a new window begins when the old one is over, and each company has its own", async ({
  db,
}) => {
  const [one, two] = [await makeCompany(db.database), await makeCompany(db.database)];
  const spendAll = async (id: string) => {
    for (let count = 0; count < 10; count += 1) await spendQuota(db.database, id, quota);
  };
  await spendAll(one.id);
  const refusal = await spendQuota(db.database, one.id, quota).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ kind: "rate-limited", code: "quota_exceeded" });
  expect((refusal as Error).message).toMatch(/^An account can check 10 customers a minute\. /);
  expect((refusal as QuotaExceeded).retryAfterSeconds).toBeGreaterThan(0);
  expect((refusal as QuotaExceeded).retryAfterSeconds).toBeLessThanOrEqual(60);
  await spendAll(two.id);

  await setBack(db.database, "quotas", "since", "1 minute");
  await spendAll(one.id);
});

test("what is rolled back was not spent", async ({ db }) => {
  const { id } = await makeCompany(db.database);
  const work = db.database.transaction(async (tx) => {
    for (let count = 0; count < 10; count += 1) await spendQuota(tx, id, quota);
    throw new Error("no");
  });
  await expect(work).rejects.toThrow("no");
  await spendQuota(db.database, id, quota);
  expect(await db.database.query(sql`select spent from quotas`)).toEqual([{ spent: 1 }]);
});
