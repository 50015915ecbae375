import { expect, onTestFinished } from "vitest";
import {
  productionSettings,
  startService,
  type TestCompany,
  type TestService,
  test,
} from "../../test/fixtures.ts";

const path = "/v1/webhooks";
const topic = "transactions/completed";
const url = "https://shop.example/hooks";

test("400: a wrong or missing topic; nothing is registered", async ({ service, company }) => {
  for (const wrong of [
    "",
    "*",
    "transactions",
    "transactions/",
    "transactions/done",
    "Transactions/started",
    "transactions/started ",
    "charges/event",
    "charge/event",
    "x".repeat(1_000),
    7,
    null,
    [topic],
    undefined,
  ]) {
    const answer = await create(service, company, { topic: wrong, url });
    expect([answer.status, fieldsOf(answer.body)], String(wrong)).toEqual([400, "topic"]);
  }
  for (const body of ["", "{", "null", "[]"])
    expect((await create(service, company, body)).status, body).toBe(400);
  expect(await count(service, company)).toBe(0);
});

test("400: a wrong or missing url, one with a user name, of another scheme or too long; 2 048 characters are accepted", async ({
  service,
  company,
}) => {
  const longest = `${url}/${"x".repeat(2_048 - url.length - 1)}`;
  for (const wrong of [
    "",
    "shop.example/hooks",
    "//shop.example/hooks",
    "https://",
    "https://a b/",
    " https://shop.example/",
    "https://shop.example/\n",
    "https://shop.example/\u0000",
    "ftp://shop.example/hooks",
    "file:///etc/passwd",
    "gopher://shop.example/",
    "javascript:alert(1)",
    "data:text/plain,x",
    "https://user@shop.example/",
    "https://user:password@shop.example/",
    "https://:password@shop.example/",
    `${longest}x`,
    7,
    null,
    [url],
    undefined,
  ]) {
    const answer = await create(service, company, { topic, url: wrong });
    const said = JSON.stringify(wrong)?.slice(0, 60);
    expect([answer.status, fieldsOf(answer.body)], said).toEqual([400, "url"]);
  }
  expect(await count(service, company)).toBe(0);
  const { status, body } = await create(service, company, { topic, url: longest });
  expect([status, body.url]).toEqual([201, longest]);
});

test("400 in production: http, loopback, addresses and ports that are not for the public; https to a name is accepted", async ({
  db,
  company,
}) => {
  const service = await startService(db, productionSettings(db));
  onTestFinished(() => service.stop());
  for (const wrong of [
    "http://shop.example/hooks",
    "http://127.0.0.1:8080/hooks",
    "https://localhost/hooks",
    "https://127.0.0.1/hooks",
    "https://127.1/hooks",
    "https://2130706433/hooks",
    "https://[::1]/hooks",
    "https://[::ffff:127.0.0.1]/hooks",
    "https://10.0.0.1/hooks",
    "https://169.254.169.254/latest/meta-data",
    "https://shop.example:22/hooks",
  ]) {
    const answer = await create(service, company, { topic, url: wrong });
    expect([answer.status, fieldsOf(answer.body)], wrong).toEqual([400, "url"]);
  }
  expect((await create(service, company, { topic, url })).status).toBe(201);
  expect(await count(service, company)).toBe(1);
});

function create(service: TestService, { accessToken: token }: TestCompany, body: unknown) {
  const headers = { "content-type": "application/json" };
  return service.call("POST", path, { token, body, headers });
}

async function count(service: TestService, { accessToken: token }: TestCompany): Promise<number> {
  return (await service.call("GET", path, { token })).body.count;
}

function fieldsOf({ details }: { readonly details?: readonly { readonly field?: string }[] }) {
  return [...new Set(details?.map(({ field }) => field))].join();
}
