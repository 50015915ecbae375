import { Ajv } from "ajv";
import { expect } from "vitest";
import { describeApiDocument } from "../src/api-document.ts";
import { type Charge, chargeStatuses } from "../src/charges/charge.ts";
import { toChargePayload } from "../src/charges/charge-resource.ts";
import { sql } from "../src/database/sql.ts";
import { ledgerKeyOf, signSeal } from "../src/statements/seal.ts";
import { toSealPayload } from "../src/statements/seal-resource.ts";
import type { Transfer } from "../src/transfers/transfer.ts";
import { toTransferPayload } from "../src/transfers/transfer-resource.ts";
import { testTopic, toPayload, topics } from "../src/webhooks/event.ts";
import { fetchDocument, type OpenApiDocument, readOperations } from "../torture/api/document.ts";
import { ChargeClient } from "./charges.ts";
import {
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "./fixtures.ts";
import { send, startReceiver, subscribe } from "./receiver.ts";

type Described = OpenApiDocument & { readonly webhooks: OpenApiDocument["paths"] };

const id = "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6";
const transfer = {
  id,
  reference: "salary",
  msisdn: "+2250700000000",
  amount: 5_000,
  fee: 50,
  description: null,
  metadata: '{"a":1}',
  batchId: id,
  subCompanyId: id,
};
const endedAt = new Date("2026-01-31T09:15:00.000Z");
const completed: Transfer = { ...transfer, status: "completed", failureReason: null, endedAt };
const failed: Transfer = {
  ...transfer,
  batchId: null,
  status: "failed",
  failureReason: "SERVICE_ACCOUNT_NOT_FOUND",
  endedAt,
};
const charge = {
  id,
  externalId: "order",
  description: "Order",
  amount: 5_000,
  paid: 0,
  refunded: 0,
  attempts: 1,
  metadata: '{"a":{"b":1}}',
  droppedReason: null,
} as Charge;

const key = ledgerKeyOf(Buffer.alloc(32, 1));
const seal = signSeal(key, {
  companyId: id,
  day: "2026-01-31",
  until: endedAt,
  number: 1,
  balance: 5_000,
  hash: Buffer.alloc(32),
});
const head = { number: 3, hash: Buffer.alloc(32) };
const sealWithTrails = signSeal(key, { ...seal, trails: { company: head, installation: head } });

test("what is sent to receivers has the fields that the document gives its topic, and no other", async ({
  db,
  service,
  company,
}) => {
  const document = JSON.parse(await describeApiDocument()) as Described;
  const described = new Map(
    readOperations({ ...document, paths: document.webhooks }).map(({ path, body }) => [path, body]),
  );
  const events = chargeStatuses.filter((status) => status !== "due");
  const payloads = [
    toTransferPayload("transactions/started", completed),
    toTransferPayload("transactions/completed", completed),
    toTransferPayload("transactions/completed", { ...completed, batchId: null }),
    toTransferPayload("transactions/failed", failed),
    toTransferPayload("transactions/failed", { ...failed, batchId: id }),
    ...events.map((status) => toChargePayload({ ...charge, status })),
    toChargePayload({ ...charge, status: "dropped", droppedReason: "EXPIRED", metadata: null }),
    toSealPayload(seal, key.publicKey),
    toSealPayload(sealWithTrails, key.publicKey),
    // Written by the database, so one is made.
    await endedBatch(db, service, company),
    toPayload(testTopic, { webhookId: id, createdAt: endedAt.toISOString() }),
  ].map((text) => JSON.parse(text) as { readonly topic: string });

  expect(new Set(payloads.map(({ topic }) => topic))).toEqual(new Set(described.keys()));
  for (const payload of payloads) {
    const ajv = new Ajv({ strict: false, formats: { "date-time": true } });
    const validate = ajv.compile(described.get(payload.topic) ?? false);
    expect(validate(payload) ? "" : ajv.errorsText(validate.errors), payload.topic).toBe("");
  }
});

test("every topic and every header that a receiver is really sent is in the document", async ({
  db,
  service,
  company,
}) => {
  const { webhooks } = (await fetchDocument(service.url)) as Described;
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, topics);
  await send(service, company, "completed");
  await send(service, company, "failed", { msisdn: "2250700000001" });
  await endedBatch(db, service, company);
  await new ChargeClient(service, company).paid();
  await receiver.until(2 + 2 + 3 + 1);

  const sent = [...receiver.received, ...receiver.tests];
  // A day is sealed when it is over, which takes a day.
  const seen = new Set([...sent.map(({ body }) => body.topic), "statements/sealed"]);
  expect(seen).toEqual(new Set(Object.keys(webhooks)));
  expect(seen).toEqual(new Set([...topics, testTopic]));
  for (const { body, headers } of sent) {
    const described = webhooks[body.topic]?.["post"]?.parameters ?? [];
    const known = new Set(described.map(({ name }) => name));
    const required = described.filter((one) => one.required).map(({ name }) => name);
    const own = Object.keys(headers).filter((name) => /^(?:x|webhook)-/.test(name));
    expect(
      own.filter((name) => !known.has(name)),
      body.topic,
    ).toEqual([]);
    expect(
      required.filter((name) => !(name in headers)),
      body.topic,
    ).toEqual([]);
  }
});

async function endedBatch(
  { database }: TestDatabase,
  service: TestService,
  { accessToken: token }: TestCompany,
): Promise<string> {
  const transactions = [{ amount: 5_000, msisdn: "2250700000000", reference: "salary" }];
  await service.call("POST", "/v1/transactions/batch", { token, body: { transactions } });
  await untilSettled(database);
  const [event] = await database.query<{ payload: string }>(
    sql`select payload from events where topic = 'batches/completed'`,
  );
  return event?.payload ?? "";
}
