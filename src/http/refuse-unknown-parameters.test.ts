import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { toAddress } from "../../torture/api/blueprint.ts";
import { fetchDocument, readOperations } from "../../torture/api/document.ts";

test("400: a query parameter that the address does not have, named beside those it has, on every operation", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  const operations = readOperations(await fetchDocument(service.url)).filter(
    ({ needsToken }) => needsToken,
  );
  expect(operations.length).toBeGreaterThan(15);

  for (const operation of operations) {
    const path = Object.fromEntries(operation.parameters.map(({ name }) => [name, "x"]));
    const known = operation.parameters.filter((one) => one.in === "query").map(({ name }) => name);
    const address = toAddress({ operation, path });
    const answer = await service.call(operation.method, `${address}?page=2`, { token });
    expect([answer.status, answer.body.code], operation.id).toEqual([400, "unknown_parameter"]);
    expect(answer.body.details).toEqual([
      { field: "page", code: "unknown_parameter", message: answer.body.message },
    ]);
    const allowed = known.length === 0 ? "this address has none" : known.join(", ");
    expect(answer.body.message, operation.id).toContain(allowed);
  }
});

test("400: nothing happens when one parameter is unknown, and the charges of all merchants are not answered for one", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "once" };
  const refused = await service.call("POST", "/v1/transactions?dryRun=true", { token, body });
  expect([refused.status, refused.body.code]).toEqual([400, "unknown_parameter"]);
  const { body: list } = await service.call("GET", "/v1/transactions", { token });
  expect(list.count).toBe(0);
  const misspelled = await service.call("GET", "/v1/charges?subCompany=subco_x", { token });
  expect(misspelled.status).toBe(400);
  expect(misspelled.body.message).toMatch(/subCompany is not .*subCompanyId/);
});

test("400: many and long names are answered shortly, in the caller's language", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  const many = Array.from({ length: 300 }, (_, index) => `p${index}=1`).join("&");
  const answer = await service.call("GET", `/v1/balance?${"x".repeat(5_000)}&${many}`, {
    token,
    headers: { "accept-language": "fr-CI, en;q=0.5" },
  });
  expect(answer.body.details).toHaveLength(10);
  expect(JSON.stringify(answer.body).length).toBeLessThan(5_000);
  expect(answer.body.message).toContain("p0 n’est pas un paramètre connu.");
});

test("401 before it, 404 where there is no route, and addresses for machines that watch stay as they are", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  expect((await service.call("GET", "/v1/balance?page=2")).status).toBe(401);
  expect((await service.call("GET", "/v1/nothing?page=2", { token })).status).toBe(404);
  expect((await service.call("GET", "/healthz?probe=7")).status).toBe(200);
  expect((await service.call("GET", "/pay?utm_source=sms")).status).toBe(404);
});

test("a slash at the end changes nothing: no empty id is looked for", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "slash" };
  const made = await service.call("POST", "/v1/transactions/", { token, body });
  expect([made.status, made.body.reference]).toEqual([201, "slash"]);
  const list = await service.call("GET", "/v1/transactions/?limit=1", { token });
  expect([list.status, list.body.count]).toEqual([200, 1]);
  const one = await service.call("GET", `/v1/transactions/${made.body.id}/`, { token });
  expect([one.status, one.body.id]).toEqual([200, made.body.id]);
});
