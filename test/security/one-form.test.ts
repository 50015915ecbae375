import { expect } from "vitest";
import { otherFormsOf } from "../address-forms.ts";
import { chargeRequest } from "../charges.ts";
import { test } from "../fixtures.ts";
import { startLogged } from "../logged-service.ts";

test("400 or 404: what the operator watches, and pages, in any other form than their own", async ({
  db,
}) => {
  const { ask } = await startLogged(db);
  for (const path of ["/metrics", "/healthz", "/readyz", "/docs", "/console/login", "/wallet"]) {
    expect(await ask("GET", path)).toEqual({ status: 200, route: path });
    for (const form of otherFormsOf(path)) {
      const { status, route } = await ask("GET", form);
      expect([400, 404], form).toContain(status);
      if (status === 404) expect(route, form).toMatch(/\*$|^none$/);
    }
  }
});

test("below /v1 a single slash at the end is accepted, with and without a query", async ({
  db,
  company,
}) => {
  const { ask } = await startLogged(db);
  const route = "/v1/transactions";
  for (const end of ["", "/", "/?limit=1", "?limit=1"])
    expect(await ask("GET", route + end, company.accessToken), end).toEqual({ status: 200, route });
  for (const end of ["//", "//?limit=1", "/./", "/%2f", "/#"])
    expect([400, 404], end).toContain((await ask("GET", route + end, company.accessToken)).status);
  for (const path of ["/v1", "/v1/", "/v1//"])
    expect((await ask("GET", path, company.accessToken)).status, path).toBe(404);
});

test("a payment link leads to its page in one form", async ({ db, company }) => {
  const { address, ask } = await startLogged(db);
  const created = await fetch(`${address}/v1/charges`, {
    method: "POST",
    headers: { authorization: `Bearer ${company.accessToken}`, "content-type": "application/json" },
    body: JSON.stringify({ ...chargeRequest, externalId: "one form" }),
  });
  const { paymentUrl } = (await created.json()) as { paymentUrl: string };
  const { pathname } = new URL(paymentUrl);

  expect((await ask("GET", pathname)).status).toBe(200);
  for (const form of otherFormsOf(pathname))
    expect([400, 404, 429], form).toContain((await ask("GET", form)).status);
});
