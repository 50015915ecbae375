import { pino } from "pino";
import { expect } from "vitest";
import { ConsoleClient, signIn } from "../../test/console.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { textOf } from "../../test/pay-page.ts";
import { send } from "../../test/receiver.ts";
import { keyIdPrefix, listKeys } from "../companies/credentials.ts";
import { sql } from "../database/sql.ts";
import { newUuid, toPublicId } from "../kernel/ids.ts";
import { Metrics } from "../kernel/metrics.ts";
import { describePath } from "./describe-path.ts";
import { forgetStrayRequests, keepRequestDays } from "./keep-days.ts";
import { RequestLog } from "./request-log.ts";
import { insertRequests } from "./store.ts";

const path = "/console/developers/requests";

test("what was asked is in the log with its key and its correlation id, and neither numbers, tokens, queries nor bodies are", async ({
  db,
  service,
  company,
}) => {
  const { accessToken: token } = company;
  const msisdn = "2250700000000";
  const { id } = await send(service, company, "secret-reference");
  await service.call("GET", `/v1/transactions/${id}`, { token });
  await service.call("GET", `/v1/transactions/${msisdn}`, { token });
  await service.call("GET", `/v1/transactions/${token}`, { token });
  await service.call("GET", `/v1/transactions/customers/check?msisdn=${msisdn}`, { token });
  const refused = await service.call("POST", "/v1/transactions", { token, body: { amount: 1 } });
  await service.call("GET", "/v1/balance", { token: `at_${"A".repeat(43)}` });
  const client = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  const open = async (query = "") => (await client.get(`${path}${query}`)).text;

  await expect.poll(() => open(), { timeout: 10_000 }).toContain(refused.body.correlationId);
  const rows = await db.database.query<{ path: string; status: number; method: string }>(sql`
    select method, path, status from request_log where company_id = ${company.id} order by id`);
  expect(rows.map((row) => `${row.method} ${row.path} ${row.status}`)).toEqual([
    "POST /v1/transactions 201",
    `GET /v1/transactions/${id} 200`,
    "GET /v1/transactions/:id 404",
    "GET /v1/transactions/:id 404",
    "GET /v1/transactions/customers/check 200",
    "POST /v1/transactions 400",
  ]);
  const kept = JSON.stringify(await db.database.query(sql`select * from request_log`));
  for (const never of [msisdn, token, "secret-reference"]) expect(kept).not.toContain(never);

  const [key] = await listKeys(db.database, company.id);
  const keyId = toPublicId(keyIdPrefix, key?.key_id ?? "");
  const listed = (text: string) =>
    (text.match(/<tr role="row"><th role="rowheader"/g) ?? []).length;
  expect(listed(await open())).toBe(6);
  expect(listed(await open("?status=4"))).toBe(3);
  expect(listed(await open("?status=5"))).toBe(0);
  expect(listed(await open("?method=POST&status=2"))).toBe(1);
  expect(listed(await open(`?path=${id}`))).toBe(1);
  expect(listed(await open(`?key=${keyId}`))).toBe(6);
  expect(listed(await open(`?correlation=${refused.body.correlationId}`))).toBe(1);
  for (const wrong of ["status=9", "method=TRACE", "key=key_1", "before=1", "path=%00"])
    expect((await client.get(`${path}?${wrong}`)).status, wrong).toBe(422);

  const other = await makeCompany(db.database, { name: "Other" });
  const stranger = new ConsoleClient(service, await signIn(db, other.id, "owner"));
  expect((await stranger.get(path)).text).toContain("Aucune requête");
  expect((await stranger.get(`${path}?key=${keyId}`)).status).toBe(422);
  const unknown = `${path}?correlation=${refused.body.correlationId}`;
  expect((await stranger.get(unknown)).text).toContain("Aucune requête");
  const reader = new ConsoleClient(service, await signIn(db, company.id, "reader"));
  expect((await reader.get(path)).status).toBe(403);
});

test("a request whose body had fields that nothing was done with names them in the log, in both languages", async ({
  db,
  service,
  company,
}) => {
  const { accessToken: token } = company;
  const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000" };
  const post = (body: object) => service.call("POST", "/v1/transactions", { token, body });
  await post({ ...transfer, reference: "plain", currency: "XOF" });
  const odd = { ...transfer, reference: "odd", sub_company_id: "x", "<b>descripton": "a secret" };
  const named = await post(odd);
  expect(named.headers.get("cauri-ignored-fields")).toBe("sub_company_id, %3Cb%3Edescripton");
  const client = new ConsoleClient(service, await signIn(db, company.id, "developer"));
  const open = async (query = "") => textOf((await client.get(`${path}${query}`)).text);

  await expect
    .poll(() => open(), { timeout: 10_000 })
    .toContain("Champs inconnus, ignorés : sub_company_id, %3Cb%3Edescripton");
  const french = await open();
  expect(french.match(/Champs inconnus/g)).toHaveLength(1);
  expect(french).not.toContain("a secret");
  await client.post("/console/language", { lang: "en", back: "/console" });
  expect(await open()).toContain("Unknown fields, ignored: sub_company_id, %3Cb%3Edescripton");
});

test("pages follow each other without a gap, and a filter looks so far and leads on", async ({
  db,
  service,
  company,
}) => {
  const [key] = await listKeys(db.database, company.id);
  const rows = Array.from({ length: 5_100 }, (_, index) => ({
    id: newUuid(Date.now()),
    at: new Date(),
    method: "GET",
    path: index === 10 ? "/v1/rare" : "/v1/balance",
    status: 200,
    keyId: key?.key_id ?? "",
    ms: index,
    correlationId: `c-${index}`,
    ignoredFields: null,
  }));
  await insertRequests(db.database, company.id, rows);
  const client = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const first = (await client.get(path)).text;
  expect(first).toContain("c-5099<");
  expect(first).toContain("c-5050<");
  const [, older = ""] = /rel="next" href="([^"]*)"/.exec(first) ?? [];
  const second = (await client.get(older.replaceAll("&amp;", "&"))).text;
  expect(second).toContain("c-5049<");
  expect(second).not.toContain("c-5050<");

  const none = (await client.get(`${path}?path=rare`)).text;
  expect(none).toContain("Aucune requête");
  const [, on = ""] = /rel="next" href="([^"]*)"/.exec(none) ?? [];
  expect((await client.get(on.replaceAll("&amp;", "&"))).text).toContain("/v1/rare");
});

test("a company has its share, what is beyond is counted, and nobody waits for a database that is away", async ({
  db,
  company,
}) => {
  const metrics = new Metrics();
  const log = new RequestLog(db.database, pino({ level: "silent" }), metrics);
  let hook: (...given: unknown[]) => void = () => {};
  log.listen({
    addHook: (_name: string, given: typeof hook) => {
      hook = given;
    },
  } as never);
  const [key] = await listKeys(db.database, company.id);
  const note = (companyId: string) =>
    hook(
      {
        company: { id: companyId },
        keyId: key?.key_id,
        method: "GET",
        params: {},
        route: { url: "/v1/balance" },
        id: "c",
      },
      { statusCode: 200, elapsedTime: 1.5 },
      () => {},
    );
  for (let count = 0; count < 700; count += 1) note(company.id);
  // Of a company that there is not: it is written nowhere, and stands in nobody's way.
  note(newUuid(Date.now()));
  await log.close();

  const [row] = await db.database.query<{ count: number }>(sql`
    select count(*) as count from request_log where company_id = ${company.id}`);
  expect(row?.count).toBeGreaterThanOrEqual(500);
  expect(row?.count).toBeLessThan(600);
  const dropped = metrics.families().flatMap(({ lines }) => lines);
  const share = dropped.find((line) => line.includes('reason="share"')) ?? "";
  expect(Number(share.split(" ").at(-1))).toBe(700 - (row?.count ?? 0));

  const away = new RequestLog(
    { query: () => Promise.reject(new Error("away")) } as never,
    pino({ level: "silent" }),
    metrics,
  );
  away.listen({ addHook: (_name: string, given: typeof hook) => (hook = given) } as never);
  note(company.id);
  await away.close();
});

test("each day has a table, which is dropped whole a week after it ended", async ({
  db,
  company,
}) => {
  const days = async () =>
    (
      await db.database.query<{ name: string }>(sql`
        select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'request_log'::regclass order by 1`)
    ).map(({ name }) => name);
  await keepRequestDays(db.database);
  expect(await days()).toHaveLength(4);
  await db.database.query(sql`
    create table request_log_2026_01_05 partition of request_log
    for values from ('2026-01-05T00:00:00Z') to ('2026-01-06T00:00:00Z')`);
  for (const at of ["2026-01-05T10:00:00Z", "2026-01-07T10:00:00Z"])
    await db.database.query(sql`
      insert into request_log (company_id, id, at, method, path, status, key_id, ms, correlation_id)
      values (${company.id}, gen_random_uuid(), ${at}, 'GET', '/', 200, gen_random_uuid(), 1, 'c')`);

  expect(await keepRequestDays(db.database)).toEqual(["2026_01_05"]);
  expect(await days()).toHaveLength(4);
  expect(await keepRequestDays(db.database)).toEqual([]);
  expect(await forgetStrayRequests(db.database, company.id)).toBe(false);
  expect(await db.database.query(sql`select 1 from request_log`)).toEqual([]);
});

test("what came while its day had no table is forgotten a thousand at a time, the oldest first, and nothing of this week or of others", async ({
  db,
  company,
}) => {
  const other = await makeCompany(db.database, { name: "Other" });
  const dayMs = 86_400_000;
  const insert = (companyId: string, count: number, daysAgo: number) =>
    insertRequests(
      db.database,
      companyId,
      Array.from({ length: count }, (_, index) => {
        const ms = Date.now() - daysAgo * dayMs + index;
        const about = {
          method: "GET",
          path: "/v1/balance",
          status: 200,
          keyId: newUuid(ms),
          ms: 1,
        };
        const named = { correlationId: `${daysAgo}`, ignoredFields: null };
        return { id: newUuid(ms), at: new Date(ms), ...about, ...named };
      }),
    );
  await insert(company.id, 1_500, 20);
  await insert(company.id, 10, 5);
  await insert(company.id, 10, 0);
  await insert(other.id, 3, 20);
  const left = async (companyId: string) => {
    const rows = await db.database.query<{ age: string; count: number }>(sql`
      select correlation_id as age, count(*)::integer as count from request_log
      where company_id = ${companyId} group by 1`);
    return Object.fromEntries(rows.map(({ age, count }) => [age, count]));
  };

  expect(await forgetStrayRequests(db.database, company.id)).toBe(true);
  expect(await left(company.id)).toEqual({ 20: 500, 5: 10, 0: 10 });
  expect(await forgetStrayRequests(db.database, company.id)).toBe(false);
  expect(await forgetStrayRequests(db.database, company.id)).toBe(false);
  expect(await left(company.id)).toEqual({ 5: 10, 0: 10 });
  expect(await left(other.id)).toEqual({ 20: 3 });
});

test("of a path only what is an id of ours is kept", () => {
  const id = "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6";
  const uuid = "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6";
  const route = "/v1/webhooks/:id/deliveries/:deliveryId/redeliver";
  expect(describePath("/v1/transactions/:id", { id })).toBe(`/v1/transactions/${id}`);
  expect(describePath(route, { id: uuid, deliveryId: "42" })).toBe(
    `/v1/webhooks/${uuid}/deliveries/42/redeliver`,
  );
  for (const secret of ["221771234567", "+221771234567", "77123456", "sk_secret", "../x", ""])
    expect(describePath("/v1/transactions/:id", { id: secret })).toBe("/v1/transactions/:id");
});
