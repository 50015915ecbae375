import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import {
  makeCompany,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { holdLock } from "../../test/locks.ts";
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
    docUrl: expect.stringContaining("/docs"),
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

test("503: an account that has used up its share is refused, before its body is read, and its neighbour is served", async ({
  db,
  company,
}) => {
  const service = await startService(db, { ROLES: "api", REQUESTS_IN_FLIGHT_MAX: "2" });
  onTestFinished(() => service.stop());
  const { accessToken: token } = company;
  const neighbour = await makeCompany(db.database);
  const { inHand, letGo } = await holdOne(service, db, company);

  // The first refusal is made behind the authentication, the next ones in front of everything.
  for (let count = 0; count < 3; count += 1) {
    const { status, body: problem, headers } = await service.call("GET", "/v1/balance", { token });
    expect([status, problem.code]).toEqual([503, "overloaded"]);
    expect(problem.message).toContain("This account");
    expect(headers.get("retry-after")).toBe("1");
  }
  expect(await announce(service, token, "/v1/transactions", 1_000)).toBe(503);
  for (let count = 0; count < 3; count += 1) {
    const answer = await service.call("GET", "/v1/balance", { token: neighbour.accessToken });
    expect(answer.status).toBe(200);
  }

  await letGo();
  expect((await inHand).status).toBe(201);
  await expect
    .poll(async () => (await service.call("GET", "/v1/balance", { token })).status, patience)
    .toBe(200);
});

test("503: a batch beyond its account's share of memory is refused before it is read; others, and small bodies, are not", async ({
  db,
  company,
}) => {
  const service = await startService(db, { ROLES: "api", BODY_MEGABYTES_IN_FLIGHT_MAX: "32" });
  onTestFinished(() => service.stop());
  const { accessToken: token } = company;
  const neighbour = await makeCompany(db.database);
  const begin = async (of: string) => {
    const begun = once(service.app.server, "request");
    const socket = send(service, batchHead(of, "Content-Length: 12000000"));
    await begun;
    return socket;
  };
  const slow = await begin(token);

  // A size that is not told counts as the largest there may be.
  for (const size of ["Content-Length: 12000000", "Transfer-Encoding: chunked"])
    expect(await statusOf(send(service, batchHead(token, size)))).toBe(503);
  expect((await service.call("POST", "/v1/transactions", { token, body })).status).toBe(201);

  await begin(neighbour.accessToken);
  const third = await makeCompany(db.database);
  const other = { token: third.accessToken, body };
  const full = batchHead(third.accessToken, "Content-Length: 12000000");
  expect(await statusOf(send(service, full))).toBe(503);
  expect((await service.call("POST", "/v1/transactions", other)).status).toBe(201);

  // Who hangs up gives his room back.
  slow.destroy();
  await expect
    .poll(async () => {
      const batch = { transactions: [{ ...body, reference: `r${Math.random()}` }], pad };
      return (await service.call("POST", "/v1/transactions/batch", { token, body: batch })).status;
    }, patience)
    .toBe(201);
});

test("what an account holds of the node comes back when its bodies came in pieces", async ({
  db,
  company,
}) => {
  const service = await startService(db, { ROLES: "api", BODY_MEGABYTES_IN_FLIGHT_MAX: "1" });
  onTestFinished(() => service.stop());
  const { accessToken: token } = company;
  for (let count = 0; count < 5; count += 1) {
    const text = JSON.stringify({ ...body, reference: `pieces-${count}` });
    const chunk = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    const head = batchHead(token, "Transfer-Encoding: chunked").replace("/batch", "");
    expect(await statusOf(send(service, head + chunk))).toBe(201);
  }
});

/** More than what counts as small. */
const pad = "x".repeat(100_000);

function batchHead(token: string, size: string): string {
  return `POST /v1/transactions/batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${size}\r\n\r\n`;
}

function send(service: TestService, text: string): Socket {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(text);
  return socket;
}

async function statusOf(socket: Socket): Promise<number> {
  const [data] = (await once(socket, "data")) as [Buffer];
  return Number(data.toString("latin1", 9, 12));
}

/** Announces a body and sends none of it. */
function announce(service: TestService, token: string, path: string, bytes: number) {
  const head = batchHead(token, `Content-Length: ${bytes}`);
  return statusOf(send(service, head.replace("/v1/transactions/batch", path)));
}

/** A request that cannot go on until it is let go: somebody else holds the company's money. */
async function holdOne(service: TestService, db: TestDatabase, company: TestCompany) {
  await service.call("GET", "/v1/balance", { token: company.accessToken });
  const letGo = await holdLock(db, `select from books where company_id = '${company.id}'`);
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
