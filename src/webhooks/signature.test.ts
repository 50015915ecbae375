import { execFileSync } from "node:child_process";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished } from "vitest";
import {
  box,
  startService,
  type TestCompany,
  type TestDatabase,
  test,
} from "../../test/fixtures.ts";
import {
  passTime,
  patience,
  type Received,
  send,
  startReceiver,
  subscribe,
  untilAttempts,
} from "../../test/receiver.ts";
import { listKeys, revokeKey, rotateKey } from "../companies/credentials.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";

const completed = "transactions/completed";
const unusual = { description: 'Loyer d’août, "café" 😀 </script> \\ / \u2028', reference: "é-1" };

test("the brand header is the Base64 HMAC-SHA256 of the raw bytes, as openssl computes it", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url);
  await send(service, company, "r1", unusual);
  await receiver.until(2);

  const secret = await secretOf(db, company);
  for (const { raw, headers, body } of receiver.received) {
    expect(body.data.description).toBe(unusual.description);
    expect(raw).toBe(JSON.stringify({ data: body.data, topic: body.topic }));
    expect(headers["x-service-hmac-sha256"]).toBe(opensslHmac(secret, raw));
    expect(headers["x-service-webhook-topic"]).toBe(body.topic);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(raw)));
    expect(Object.keys(headers).filter((name) => name.endsWith("-signature"))).toEqual([
      "webhook-signature",
    ]);
    expect(
      Object.keys(headers)
        .filter((name) => name.startsWith("x-"))
        .toSorted(),
    ).toEqual(["x-service-hmac-sha256", "x-service-webhook-topic"]);
  }
});

test("the brand in the names of the headers is a setting", async ({ db, company }) => {
  const service = await startService(db, { BRAND: "acme" });
  onTestFinished(() => service.stop());
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r1");
  const [received] = await receiver.until(1);

  const { raw, headers } = received ?? never();
  expect(headers["x-acme-hmac-sha256"]).toBe(opensslHmac(await secretOf(db, company), raw));
  expect(headers["x-acme-webhook-topic"]).toBe(completed);
  expect(Object.keys(headers).filter((name) => name.includes("service"))).toEqual([]);
});

test("webhook-id, -timestamp and -signature are Standard Webhooks: its own library accepts them", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r1", unusual);
  const [received] = await receiver.until(1);

  const { raw, headers, body, atMs } = received ?? never();
  expect(verify(await secretOf(db, company), { raw, headers })).toEqual(body);
  expect(headers["webhook-id"]).toMatch(/^msg_[0-9a-f]{32}_\d+_[0-9a-z]+_[0-9a-f]{12}$/);
  expect(headers["webhook-timestamp"]).toMatch(/^\d{10}$/);
  expect(Math.abs(Number(headers["webhook-timestamp"]) - atMs / 1_000)).toBeLessThan(60);
  expect(headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);

  const secret = await secretOf(db, company);
  const forged = [
    { raw: raw.replace("5000", "6000"), headers },
    { raw, headers: { ...headers, "webhook-id": `${String(headers["webhook-id"])}1` } },
    { raw, headers: { ...headers, "webhook-timestamp": String(Math.floor(atMs / 1_000) - 30) } },
  ];
  for (const one of forged) expect(() => verify(secret, one)).toThrow("No matching signature");
  expect(() => verify(`${secret}x`, { raw, headers })).toThrow("No matching signature");
});

test("a retry has the same bytes, the same brand signature and the same webhook-id; the timestamp is its own", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver((_received, response) => response.writeHead(500).end());
  await subscribe(service, company, receiver.url, [completed]);
  await send(service, company, "r1", unusual);
  for (const attempt of [1, 2]) {
    await untilAttempts(db.database, attempt);
    // Timestamps are whole seconds: the next attempt comes in another one.
    await expect
      .poll(() => Date.now() - (receiver.received.at(-1)?.atMs ?? 0), patience)
      .toBeGreaterThan(1_000);
    await passTime(db.database);
  }
  const arrived = await receiver.until(3);

  const same = (read: (received: Received) => unknown) => new Set(arrived.map(read)).size;
  expect(same(({ raw }) => raw)).toBe(1);
  expect(same(({ headers }) => headers["webhook-id"])).toBe(1);
  expect(same(({ headers }) => headers["x-service-hmac-sha256"])).toBe(1);
  expect(same(({ headers }) => headers["webhook-timestamp"])).toBe(3);
  const secret = await secretOf(db, company);
  for (const received of arrived) expect(verify(secret, received)).toEqual(received.body);
});

test("while a rotation overlaps both secrets verify webhook-signature and the newest signs the brand header; a revoked one no longer does", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, [completed]);
  const older = await secretOf(db, company);
  await send(service, company, "before");
  await receiver.until(1);
  const signals = new Signals(db.url, db.database);
  const { secretKey: newer, accessToken } = await rotateKey(db.database, signals, box, new Date(), {
    companyId: company.id,
    overlapSeconds: 3_600,
  });
  await send(service, company, "during");
  await receiver.until(2);
  const [oldKey] = await listKeys(db.database, company.id);
  await revokeKey(db.database, signals, oldKey?.key_id ?? "");
  await send(service, { ...company, accessToken }, "after");
  await receiver.until(3);

  const [before, during, after] = receiver.received.map((received) => ({
    signatures: String(received.headers["webhook-signature"]).split(" ").length,
    brand: [older, newer].map(
      (secret) => received.headers["x-service-hmac-sha256"] === opensslHmac(secret, received.raw),
    ),
    standard: [older, newer].map((secret) => isVerified(secret, received)),
  }));
  expect(before).toEqual({ signatures: 1, brand: [true, false], standard: [true, false] });
  expect(during).toEqual({ signatures: 2, brand: [false, true], standard: [true, true] });
  expect(after).toEqual({ signatures: 1, brand: [false, true], standard: [false, true] });
});

function opensslHmac(secret: string, raw: string): string {
  return execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret, "-binary"], {
    input: raw,
  }).toString("base64");
}

function verify(secret: string, { raw, headers }: Pick<Received, "raw" | "headers">): unknown {
  return new Webhook(secret, { format: "raw" }).verify(raw, headers as Record<string, string>);
}

function isVerified(secret: string, received: Received): boolean {
  try {
    verify(secret, received);
    return true;
  } catch {
    return false;
  }
}

async function secretOf(db: TestDatabase, company: TestCompany): Promise<string> {
  const rows = await db.database.query<{ sealed: Buffer }>(
    sql`select sealed from secret_keys where company_id = ${company.id}`,
  );
  return box.open(rows[0]?.sealed ?? Buffer.alloc(0), company.id);
}

function never(): never {
  throw new Error("nothing arrived");
}
