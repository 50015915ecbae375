import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import {
  box,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { Receiver } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

const topics = ["transactions/started", "transactions/completed", "transactions/failed"];

test("one transfer: started, then completed, each with a signature that verifies over the raw bytes", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url);
  const sent = await send(service, company, "r1");
  const [started, completed] = await receiver.until(2);

  expect([started?.body.topic, completed?.body.topic]).toEqual([
    "transactions/started",
    "transactions/completed",
  ]);
  expect(started?.body.data).toMatchObject({ id: sent.id, status: "pending" });
  expect(completed?.body.data).toMatchObject({ id: sent.id, status: "completed" });
  const secret = await secretOf(db, company);
  for (const { raw, headers, body } of [...receiver.received]) {
    expect(headers["x-service-hmac-sha256"]).toBe(opensslHmac(secret, raw));
    expect(headers["x-service-webhook-topic"]).toBe(body.topic);
    expect(raw).toBe(JSON.stringify(body));
  }
});

test("a failed attempt is repeated after 5 s with the same bytes, and the later event waits for it", {
  timeout: 90_000,
}, async ({ service, company }) => {
  let failures = 0;
  const receiver = await startReceiver((received, response) => {
    const isFirst = received.body.topic === "transactions/started" && failures < 1;
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
  expect(second?.raw).toBe(first?.raw);
  expect(second?.headers["x-service-hmac-sha256"]).toBe(first?.headers["x-service-hmac-sha256"]);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  const pause = (second?.atMs ?? 0) - (first?.atMs ?? 0);
  expect(pause).toBeGreaterThanOrEqual(3_900);
});

async function startReceiver(respond?: Receiver["respond"]): Promise<Receiver> {
  const receiver = await Receiver.start(respond);
  onTestFinished(() => receiver.stop());
  return receiver;
}

async function subscribe(service: TestService, company: TestCompany, url: string): Promise<void> {
  for (const topic of topics) {
    expect(
      (
        await service.call("POST", "/v1/webhooks", {
          token: company.accessToken,
          body: { topic, url },
        })
      ).status,
    ).toBe(201);
  }
}

async function send(service: TestService, company: TestCompany, reference: string) {
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference };
  const answer = await service.call("POST", "/v1/transactions", {
    token: company.accessToken,
    body,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function secretOf(
  db: { database: import("../database/database.ts").Database },
  company: TestCompany,
): Promise<string> {
  const rows = await db.database.query<{ sealed: Buffer }>(
    sql`select sealed from secret_keys where company_id = ${company.id}`,
  );
  return box.open(rows[0]?.sealed ?? Buffer.alloc(0), company.id);
}

function opensslHmac(secret: string, raw: string): string {
  return execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret, "-binary"], {
    input: raw,
  }).toString("base64");
}
void sleep;
void untilSettled;
