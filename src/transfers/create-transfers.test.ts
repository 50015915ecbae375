import { expect, onTestFinished } from "vitest";
import {
  auditDifferences,
  makeCompany,
  startService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { sql } from "../database/sql.ts";

const transfer = { type: "transfer", amount: 5_000, msisdn: "+2250700000000" };

// Guards the money, not the message: of many identical requests racing, exactly one may move funds.
test("one hundred identical requests at once: one 201, ninety-nine 409, one debit", async ({
  db,
  service,
  company,
}) => {
  const body = { ...transfer, reference: "rent" };
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      service.call("POST", "/v1/transactions", { token: company.accessToken, body }),
    ),
  );

  const accepted = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect(accepted).toHaveLength(1);
  expect(refused).toHaveLength(99);
  for (const { body: problem } of refused) {
    expect(problem.code).toBe("duplicate_reference");
    expect(problem.details[0].id).toBe(accepted[0]?.body.id);
  }
  await untilSettled(db.database);
  expect(
    (await service.call("GET", "/v1/balance", { token: company.accessToken })).body.balance,
  ).toBe(995_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test.for([0, 4_999])(
  "a balance that fits seven of fifty transfers at once on two nodes, and %i more, accepts exactly seven",
  async (left, { db, service }) => {
    const other = await startService(db);
    onTestFinished(() => other.stop());
    const company = await makeCompany(db.database, {
      fund: 7 * 5_050 + left,
      transferFee: { ratePpm: 10_000, flat: 0, min: 0, max: null },
    });
    // They gather behind the first of each node, and come in sets of which the money is enough for some.
    const release = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
    const all = Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? service : other).call("POST", "/v1/transactions", {
          token: company.accessToken,
          body: { ...transfer, reference: `r${index}` },
        }),
      ),
    );
    await untilLockAwaited(db.database, 2);
    await release();
    const answers = await all;

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(43);
    expect(
      (await service.call("GET", "/v1/balance", { token: company.accessToken })).body.balance,
    ).toBe(left);
    await untilSettled(db.database);
    expect(await auditDifferences(db.database)).toEqual([]);
  },
);

test("two batches racing for the same money: one 201, one 402, nothing partly written", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { fund: 30_000 });
  const answers = await Promise.all(
    ["a", "b"].map((name) =>
      service.call("POST", "/v1/transactions/batch", {
        token: company.accessToken,
        body: batch(name),
      }),
    ),
  );

  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 402]);
  const rows = await db.database.query<{ transfers: number; batches: number }>(sql`
    select (select count(*) from transfers) as transfers, (select count(*) from batches) as batches`);
  expect(rows[0]).toEqual({ transfers: 5, batches: 1 });
  await untilSettled(db.database);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("a batch of 10 000 rows is accepted in one request and settled", async ({ db, service }) => {
  const company = await makeCompany(db.database, { fund: 60_000_000 });
  const transactions = Array.from({ length: 10_000 }, (_, index) => ({
    ...transfer,
    msisdn: index % 10 === 0 ? "2250700000001" : "2250700000000",
    reference: `salary-${index}`,
  }));
  const answer = await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: { transactions },
  });

  expect(answer.status).toBe(201);
  expect(answer.body.transactions).toHaveLength(10_000);
  expect(answer.body).toMatchObject({ status: "processing", totalAmount: 50_000_000, totalFee: 0 });
  await untilSettled(db.database);
  const after = await service.call("GET", `/v1/batches/${answer.body.id}`, {
    token: company.accessToken,
  });
  expect(after.body).toMatchObject({
    status: "partially_completed",
    completedCount: 9_000,
    failedCount: 1_000,
  });
  expect(after.body.transactionsTruncated).toBe(true);
  expect(after.body.transactions.map(({ reference }: { reference: string }) => reference)).toEqual(
    transactions.slice(0, 1_000).map(({ reference }) => reference),
  );
  const references = new Set<string>();
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = await service.call(
      "GET",
      `/v1/batches/${answer.body.id}/transactions?limit=100${cursor && `&cursor=${cursor}`}`,
      { token: company.accessToken },
    );
    for (const { reference } of page.body.data) references.add(reference);
    cursor = page.body.cursor.next;
  }
  expect(references.size).toBe(10_000);
  expect(
    (await service.call("GET", "/v1/balance", { token: company.accessToken })).body.balance,
  ).toBe(15_000_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

function batch(name: string) {
  return {
    transactions: Array.from({ length: 5 }, (_, index) => ({
      ...transfer,
      reference: `${name}-${index}`,
    })),
  };
}
