import { expect } from "vitest";
import { test, untilSettled } from "../../test/fixtures.ts";
import { type Received, send, startReceiver, subscribe } from "../../test/receiver.ts";

/** The fields every notification of a transfer has, with the values that do not change. */
const facts = (sent: Record<string, unknown>) => ({
  id: sent["id"],
  amount: 7_500,
  msisdn: "+2250700000000",
  description: null,
  type: "transfer",
  reference: "r1",
  fee: 0,
  totalAmount: 7_500,
  failureReason: null,
  createdAt: sent["createdAt"],
});

test("a transfer is told as started, then as completed, with exactly the fields of the interface", async ({
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url);
  const sent = await send(service, company, "r1", {
    amount: 7_500,
    msisdn: "+2250700000000",
    metadata: { kept: "to ourselves" },
  });
  const [started, completed] = await receiver.until(2);

  expect(started?.body).toStrictEqual({
    data: { ...facts(sent), status: "pending", updatedAt: sent.createdAt },
    topic: "transactions/started",
  });
  const after = await service.call("GET", `/v1/transactions/${sent.id}`, {
    token: company.accessToken,
  });
  expect(completed?.body).toStrictEqual({
    data: {
      ...facts(sent),
      status: "completed",
      updatedAt: after.body.updatedAt,
      serviceTransactionReference: sent.serviceTransactionReference,
    },
    topic: "transactions/completed",
  });
});

test("a failed transfer is told with its reason, and a batch's with its batch", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url);
  const row = { amount: 7_500, description: "Loyer" };
  const { body: batch } = await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: {
      transactions: [
        { ...row, msisdn: "2250700000001", reference: "bad" },
        { ...row, msisdn: "2250700000000", reference: "good" },
      ],
    },
  });
  await untilSettled(db.database);
  await receiver.until(4);
  const told = (topic: string, reference: string) =>
    receiver.received.find(({ body }) => body.topic === topic && body.data.reference === reference);
  const [bad, good] = batch.transactions;
  const common = { description: "Loyer", failureReason: null };
  const ended = (received: Received | undefined) => ({
    batchId: batch.id,
    updatedAt: received?.body.data.updatedAt,
  });

  const failed = told("transactions/failed", "bad");
  expect(failed?.body.data).toStrictEqual({
    ...facts(bad),
    ...common,
    reference: "bad",
    msisdn: "2250700000001",
    status: "failed",
    failureReason: "SERVICE_ACCOUNT_NOT_FOUND",
    ...ended(failed),
  });
  expect(failed?.body.data.updatedAt >= bad.createdAt).toBe(true);
  const completed = told("transactions/completed", "good");
  expect(completed?.body.data).toStrictEqual({
    ...facts(good),
    ...common,
    reference: "good",
    msisdn: "2250700000000",
    status: "completed",
    serviceTransactionReference: good.serviceTransactionReference,
    ...ended(completed),
  });
  expect(told("transactions/started", "good")?.body.data).toStrictEqual({
    ...facts(good),
    ...common,
    reference: "good",
    msisdn: "2250700000000",
    status: "pending",
    updatedAt: good.createdAt,
  });
});

test("a failed attempt is repeated by itself, 5 s later give or take a fifth, and the later event waits for it", async ({
  service,
  company,
}) => {
  let failures = 0;
  const receiver = await startReceiver((received, response) => {
    const isFirst = received.body.topic === "transactions/started" && failures === 0;
    if (isFirst) failures += 1;
    response.writeHead(isFirst ? 500 : 200).end();
  });
  await subscribe(service, company, receiver.url);
  await send(service, company, "r1");
  const [first, second, third] = await receiver.until(3);

  expect([first, second, third].map((one) => one?.body.topic)).toEqual([
    "transactions/started",
    "transactions/started",
    "transactions/completed",
  ]);
  const pause = (second?.atMs ?? 0) - (first?.atMs ?? 0);
  expect(pause).toBeGreaterThanOrEqual(3_900);
});
