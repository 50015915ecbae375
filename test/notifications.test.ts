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
import { type OpenApiDocument, readOperations } from "../torture/api/document.ts";
import {
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "./fixtures.ts";

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

test("what is sent to receivers has the fields that the document gives its topic, and no other", async ({
  db,
  service,
  company,
}) => {
  const document = JSON.parse(await describeApiDocument()) as OpenApiDocument & {
    readonly webhooks: OpenApiDocument["paths"];
  };
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
    // Written by the database, so one is made.
    await endedBatch(db, service, company),
  ].map((text) => JSON.parse(text) as { readonly topic: string });

  expect(new Set(payloads.map(({ topic }) => topic))).toEqual(new Set(described.keys()));
  for (const payload of payloads) {
    const ajv = new Ajv({ strict: false, formats: { "date-time": true } });
    const validate = ajv.compile(described.get(payload.topic) ?? false);
    expect(validate(payload) ? "" : ajv.errorsText(validate.errors), payload.topic).toBe("");
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
