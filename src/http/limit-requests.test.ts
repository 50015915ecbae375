import { once } from "node:events";
import { connect } from "node:net";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import {
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "rent" };

test("503: one request too many is refused at once, like every other error, and the next one finds room", async ({
  db,
  company,
}) => {
  const service = await startService(db, { ROLES: "api", REQUESTS_IN_FLIGHT_MAX: "1" });
  onTestFinished(() => service.stop());
  const { accessToken: token } = company;
  const { inHand, letGo } = await holdOne(service, db, company);

  const refused = await service.call("GET", "/v1/balance?limit=1", {
    token,
    headers: { "x-correlation-id": "too-many" },
  });
  expect(refused.status).toBe(503);
  expect(refused.body).toEqual({
    statusCode: 503,
    error: "Service Unavailable",
    message: expect.stringContaining("Nothing was done"),
    code: "overloaded",
    correlationId: "too-many",
    path: "/v1/balance",
    timestamp: expect.any(String),
  });
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.headers.get("x-correlation-id")).toBe("too-many");
  expect(refused.headers.get("cache-control")).toBe("no-store");
  expect((await service.call("POST", "/v1/transactions", { token, body })).status).toBe(503);
  const page = await service.call("GET", "/pay/unknown");
  expect(page.status).toBe(503);
  expect(page.headers.get("content-type")).toContain("text/html");

  for (const path of ["/healthz", "/readyz", "/metrics"])
    expect((await service.call("GET", path)).status, path).toBe(200);
  expect((await service.call("GET", "/metrics")).body).toContain("cauri_http_refused_total 2");

  await letGo();
  expect((await inHand).status).toBe(201);
  await expect
    .poll(async () => (await service.call("GET", "/v1/balance", { token })).status, patience)
    .toBe(200);
});

test("a sender that never finishes takes nobody's place", async ({ db, company }) => {
  const service = await startService(db, { ROLES: "api", REQUESTS_IN_FLIGHT_MAX: "1" });
  onTestFinished(() => service.stop());
  const { accessToken: token } = company;
  const slow = connect(Number(new URL(service.url).port), "127.0.0.1");
  onTestFinished(() => void slow.destroy());
  const begun = once(service.app.server, "request");
  slow.write(
    `POST /v1/transactions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  await begun;

  expect((await service.call("POST", "/v1/transactions", { token, body })).status).toBe(201);
});

/** A request that cannot go on until it is let go: somebody else holds the company's money. */
async function holdOne(service: TestService, db: TestDatabase, company: TestCompany) {
  await service.call("GET", "/v1/balance", { token: company.accessToken });
  const blocker = new pg.Client({ connectionString: db.url });
  await blocker.connect();
  const letGo = () => blocker.end();
  onTestFinished(letGo);
  await blocker.query("begin");
  await blocker.query("select 1 from books where company_id = $1 for update", [company.id]);
  const inHand = service.call("POST", "/v1/transactions", {
    token: company.accessToken,
    body: { ...body, reference: "in hand" },
  });
  const waiting = sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%submit_transfers%'`;
  await expect.poll(async () => (await db.database.query(waiting)).length, patience).toBe(1);
  return { inHand, letGo };
}
