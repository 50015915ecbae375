import { expect } from "vitest";
import { makeCustomer, type TestDatabase, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";

const [awa, binta, cheikh] = ["2250711111111", "2250722222222", "2250733333333"] as const;
const overLimit = "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT";
const notFound = "SERVICE_ACCOUNT_NOT_FOUND";

type Credits = readonly (readonly [msisdn: string, amount: number])[];

test("a set in which all fits is credited as one that is looked at one by one", async ({
  db,
  company,
}) => {
  for (const msisdn of [awa, binta, cheikh]) await makeCustomer(db.database, msisdn);
  const credit = (credits: Credits) => creditAndUndo(db, company.id, credits);

  const single: Credits = [
    [awa, 100],
    [binta, 200],
    [cheikh, 300],
  ];
  expect(await credit(single)).toEqual([
    [null, null, null],
    [100, 200, 300],
  ]);
  // One to the franc below the ceiling, one above it, one to nobody, and two for one person.
  expect(await credit([[awa, 1_000], ...single.slice(1)])).toEqual([
    [null, null, null],
    [1_000, 200, 300],
  ]);
  expect(await credit([[awa, 1_001], ...single.slice(1)])).toEqual([
    [overLimit, null, null],
    [0, 200, 300],
  ]);
  expect(await credit([...single, ["2250799999999", 5]])).toEqual([
    [null, null, null, notFound],
    [100, 200, 300],
  ]);
  expect(await credit([[awa, 600], [awa, 600], ...single.slice(1)])).toEqual([
    [null, overLimit, null, null],
    [600, 200, 300],
  ]);
});

test("credits that are not in the order of their wallets reach nobody else's", async ({
  db,
  company,
}) => {
  for (const msisdn of [awa, binta, cheikh]) await makeCustomer(db.database, msisdn);
  const [refusals, balances] = await creditAndUndo(db, company.id, [
    [cheikh, 300],
    [awa, 100],
    [binta, 200],
  ]);
  expect(refusals).toEqual([null, notFound, notFound]);
  expect(balances).toEqual([0, 0, 300]);
});

/** What was refused, and what the three have then. Without the books beside it, it cannot stay. */
async function creditAndUndo(db: TestDatabase, companyId: string, credits: Credits) {
  const isDone = new Error("done");
  let seen: [unknown, unknown] = [undefined, undefined];
  await db.database
    .transaction(async (tx) => {
      const subjects = credits.map(() => newUuid(Date.now()));
      const none = credits.map(() => null);
      const [answer] = await tx.query<{ refusals: string[] }>(sql`
        select c.refusals::text[] from credit_wallets('transfer.completed', ${companyId},
          ${credits.map(([msisdn]) => msisdn)}, ${subjects}, ${credits.map(([, amount]) => amount)},
          ${none}, ${none}, ${none}, false, 1000, 1000, null, null) as c`);
      const wallets = await tx.query<{ balance: number }>(sql`
        select w.balance::integer from wallets w order by w.msisdn`);
      seen = [answer?.refusals, wallets.map(({ balance }) => balance)];
      throw isDone;
    })
    .catch((error: unknown) => {
      if (error !== isDone) throw error;
    });
  return seen;
}
