import { expect } from "vitest";
import { makeCompany, test } from "../../test/fixtures.ts";
import { ask, makeSubCompany } from "../../test/statements.ts";
import { sql } from "../database/sql.ts";
import { toPublicId } from "../kernel/ids.ts";

test.for([
  "from=yesterday",
  "from=2026-02-30",
  "to=2026-13-01",
  "to=2026-02-30T00:00:00Z",
  "from=2026-02-01&to=2026-01-31",
  "from=2026-01-31T00:00:00.001Z&to=2026-01-31T00:00:00Z",
  "limit=0",
  "limit=1001",
  "limit=many",
  "cursor=nonsense",
  "page=2",
  "from=",
])("400: %s", async (query, { service, company }) => {
  const answer = await service.call("GET", `/v1/statement?${query}`, {
    token: company.accessToken,
  });

  expect(answer.status).toBe(400);
  expect(answer.body.details[0].message).not.toBe("");
});

test("400: a cursor of another statement, of another company or made up", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database);
  for (const { id } of [company, other])
    await db.database.query(sql`
      select post_movements(${id}, 'company.funded', 'external', 'available',
        (select array_agg(gen_random_uuid()) from generate_series(1, 5)), '{1,1,1,1,1}')`);
  const { cursor } = await ask(service, company, "?limit=1");
  const call = (token: string, query: string) =>
    service.call("GET", `/v1/statement?${query}&cursor=${cursor.next}`, { token });

  expect((await call(company.accessToken, "limit=2")).status).toBe(200);
  expect((await call(company.accessToken, "limit=1&from=2020-01-01")).body.code).toBe(
    "invalid_cursor",
  );
  expect((await call(other.accessToken, "limit=1")).body.code).toBe("invalid_cursor");
});

test("404: a sub-company that there is not, or that is another company's", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database);
  const theirs = await makeSubCompany(service, other, "Theirs");

  for (const id of [theirs, toPublicId("subco", company.id), "subco_1", "x"]) {
    const answer = await service.call("GET", `/v1/statement?subCompanyId=${id}`, {
      token: company.accessToken,
    });
    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe("sub_company_not_found");
  }
});

test("401: without a token", async ({ service }) => {
  for (const path of ["/v1/statement", "/v1/statement/seals"])
    expect((await service.call("GET", path)).status).toBe(401);
});
