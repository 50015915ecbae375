import { expect } from "vitest";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  startService,
  type TestDatabase,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { newNonce } from "../kernel/ordered-id.ts";
import type { Topic } from "../webhooks/event.ts";
import { selectOldestPending, settle } from "./settle-store.ts";
import { submitTransfers } from "./submit-store.ts";
import { transferPayloads } from "./tell-transfers.ts";

const policy = {
  walletMax: { complete: 2_000_000, otherwise: 200_000 },
  testMsisdns: { success: "2250700000000", failure: "2250700000001" },
};

interface Sent {
  readonly msisdn: string;
  readonly amount: number;
  readonly subCompanyId?: string;
}

test("a transfer is completed, failed or refused by the recipient's ceiling, as the customer book says", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, "2250711111111", "complete");
  await makeCustomer(db.database, "2250722222222", "pending");
  const rows: [Sent, string, string | null][] = [
    [{ msisdn: "+2250711111111", amount: 250_000 }, "completed", null],
    [{ msisdn: "2250722222222", amount: 200_000 }, "completed", null],
    [{ msisdn: "2250722222222", amount: 5_000 }, "failed", "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT"],
    [{ msisdn: "2250733333333", amount: 5_000 }, "failed", "SERVICE_ACCOUNT_NOT_FOUND"],
    [{ msisdn: "2250700000000", amount: 5_000 }, "completed", null],
    [{ msisdn: "2250700000001", amount: 5_000 }, "failed", "SERVICE_ACCOUNT_NOT_FOUND"],
  ];

  for (const [index, [sent, status, failureReason]] of rows.entries()) {
    const made = await service.call("POST", "/v1/transactions", {
      token: company.accessToken,
      body: { type: "transfer", reference: `r${index}`, ...sent },
    });
    expect(made.status).toBe(201);
    await untilSettled(db.database);
    const after = await service.call("GET", `/v1/transactions/${made.body.id}`, {
      token: company.accessToken,
    });
    expect(after.body).toEqual({
      ...made.body,
      status,
      failureReason,
      updatedAt: after.body.updatedAt,
    });
    expect(after.body.updatedAt >= made.body.updatedAt).toBe(true);
  }
  expect(await walletOf(db, "2250711111111")).toBe(250_000);
  expect(await walletOf(db, "2250722222222")).toBe(200_000);
  expect(
    (await service.call("GET", "/v1/balance", { token: company.accessToken })).body.balance,
  ).toBe(545_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("settling one alone leaves older ones to the next call", async ({ db }) => {
  const { id } = await makeCompany(db.database);
  const ids = await Promise.all(
    ["older", "newer"].map((reference) =>
      submitTransfers(db.database, id, newNonce(), [
        {
          transfer: {
            amount: 5_000,
            fee: 0,
            msisdn: "2250700000000",
            reference,
            description: null,
            metadata: null,
            subCompanyId: null,
          },
          key: undefined,
          priceNumber: 1,
        },
      ]),
    ),
  );
  expect(ids).toHaveLength(2);
  const [, newer] = await db.database.query<{ id: string }>(sql`
    select id from pending_transfers order by id`);

  const only = await settle(db.database, policy, {
    companyId: id,
    limit: 100,
    only: newer?.id ?? "",
  });
  expect(only.reasons).toEqual([null]);
  expect(await selectOldestPending(db.database, id)).not.toBeUndefined();
  const rest = await settle(db.database, policy, { companyId: id, limit: 100 });

  expect(rest.reasons).toEqual([null]);
  expect(await db.database.query(sql`select 1 from pending_transfers`)).toEqual([]);
});

test("several credits to one wallet in one set respect its ceiling one after the other", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, "2250711111111", "complete", 50_000);
  const amounts = [20_000, 25_000, 10_000, 5_000, 5_000];
  const batch = await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: {
      transactions: amounts.map((amount, index) => ({
        amount,
        msisdn: "2250711111111",
        reference: `r${index}`,
      })),
    },
  });

  await untilSettled(db.database);
  const after = await service.call("GET", `/v1/batches/${batch.body.id}`, {
    token: company.accessToken,
  });
  expect(after.body.transactions.map(({ status }: { status: string }) => status)).toEqual([
    "completed",
    "completed",
    "failed",
    "completed",
    "failed",
  ]);
  expect(after.body.status).toBe("partially_completed");
  expect(await walletOf(db, "2250711111111")).toBe(50_000);
});

test("the events carry exactly the documented fields, in the order things happened", async ({
  db,
  service,
  company,
}) => {
  const made = await service.call("POST", "/v1/transactions", {
    token: company.accessToken,
    body: {
      type: "transfer",
      amount: 5_000,
      msisdn: "+2250700000000",
      reference: "r1",
      metadata: { a: 1 },
    },
  });
  await untilSettled(db.database);
  const events = await db.database.query<{ topic: Topic; subjectId: string }>(
    sql`select topic, subject_id as "subjectId" from events order by number`,
  );
  const payloads = await transferPayloads(db.database, company.id, events);
  const rows = events.map(({ topic }, index) => ({ topic, payload: payloads[index] ?? "" }));

  const { id, createdAt, serviceTransactionReference } = made.body;
  const data = {
    id,
    status: "pending",
    amount: 5_000,
    msisdn: "+2250700000000",
    description: null,
    type: "transfer",
    reference: "r1",
    fee: 0,
    totalAmount: 5_000,
    failureReason: null,
    createdAt,
    updatedAt: createdAt,
  };
  const [started, completed] = rows.map(({ payload }) => JSON.parse(payload));
  expect(started).toEqual({ data, topic: "transactions/started" });
  expect(completed).toEqual({
    data: {
      ...data,
      status: "completed",
      updatedAt: completed.data.updatedAt,
      serviceTransactionReference,
    },
    topic: "transactions/completed",
  });
  expect(rows.map(({ topic }) => topic)).toEqual([
    "transactions/started",
    "transactions/completed",
  ]);
  expect(rows[0]?.payload).toBe(JSON.stringify({ data, topic: "transactions/started" }));
});

test("the wallet's history shows the sub-company and the reference the caller was given", async ({
  db,
  service,
  company,
}) => {
  const sub = await service.call("POST", "/v1/sub-companies", {
    token: company.accessToken,
    body: { name: "Boutique Awa", logoUrl: "https://awa.example.com/logo.png" },
  });
  await service.call("POST", "/v1/transactions", {
    token: company.accessToken,
    body: {
      type: "transfer",
      amount: 5_000,
      msisdn: "2250700000000",
      reference: "r1",
      subCompanyId: sub.body.id,
    },
  });
  await untilSettled(db.database);

  const rows = await db.database.query(sql`
    select company_name, sub_company_name, sub_company_logo_url, amount from wallet_entries`);
  expect(rows).toEqual([
    {
      company_name: "Test",
      sub_company_name: "Boutique Awa",
      sub_company_logo_url: "https://awa.example.com/logo.png",
      amount: 5_000,
    },
  ]);
});

test("a transfer whose settlement is impossible ends with INTERNAL_ERROR and holds up nobody", async ({
  db,
  service,
  company,
}) => {
  await makeCustomer(db.database, "2250711111111");
  // A wallet that refuses every change stands for whatever we did not think of.
  await db.database.query({
    text: "alter table wallets add constraint broken check (msisdn <> '2250711111111' or balance = 0)",
    values: [],
  });
  const batch = await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: {
      transactions: ["2250700000000", "2250711111111", "2250700000000"].map((msisdn, index) => ({
        amount: 5_000,
        msisdn,
        reference: `r${index}`,
      })),
    },
  });

  await untilSettled(db.database);
  const after = await service.call("GET", `/v1/batches/${batch.body.id}`, {
    token: company.accessToken,
  });
  expect(
    after.body.transactions.map(
      ({ failureReason }: { failureReason: string | null }) => failureReason,
    ),
  ).toEqual([null, "INTERNAL_ERROR", null]);
  expect(
    (await service.call("GET", "/v1/balance", { token: company.accessToken })).body.balance,
  ).toBe(990_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("four workers on one database settle everything once", async ({ db }) => {
  const services = await Promise.all([1, 2, 3, 4].map(() => startService(db)));
  try {
    const companies = await Promise.all([1, 2, 3].map(() => makeCompany(db.database)));
    await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        const token = companies[index % companies.length]?.accessToken ?? "";
        const msisdn = index % 2 === 0 ? "2250700000000" : "2250700000001";
        const body = { type: "transfer", amount: 5_000, msisdn, reference: `r${index}` };
        const send = () =>
          services[index % services.length]?.call("POST", "/v1/transactions", { token, body });
        // A busy machine may refuse one. It is sent again, and is the same transfer.
        await expect.poll(async () => (await send())?.status, patience).toBeOneOf([201, 409]);
      }),
    );
    await untilSettled(db.database);
    expect(await walletOf(db, "2250700000000")).toBe(75 * 5_000);
    expect(await auditDifferences(db.database)).toEqual([]);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
});

async function walletOf(db: TestDatabase, msisdn: string): Promise<number | undefined> {
  const rows = await db.database.query<{ balance: number }>(
    sql`select balance from wallets where msisdn = ${msisdn}`,
  );
  return rows[0]?.balance;
}
