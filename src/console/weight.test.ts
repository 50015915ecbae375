import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { signIn, signInOperator } from "../../test/console.ts";
import { makeCustomer, type TestService, test, untilSettled } from "../../test/fixtures.ts";
import { toPublicId } from "../kernel/ids.ts";

// What goes over the wire, as a browser asks for it.
const firstLoadMax = 80 * 1_024;
const nextPageMax = 30 * 1_024;
const stylesMax = 12 * 1_024;
const requestsMax = 6;
const rows = 150;

/** A page as it is sent: how much that is, and what it says. */
async function load({ app }: TestService, url: string, sessionToken: string) {
  const answer = await app.inject({
    url,
    headers: { "accept-encoding": "gzip, br", cookie: `cauri_console=${sessionToken}` },
  });
  expect(answer.statusCode, url).toBe(200);
  const isPacked = answer.headers["content-encoding"] === "gzip";
  const text = (isPacked ? gunzipSync(answer.rawPayload) : answer.rawPayload).toString();
  return { bytes: answer.rawPayload.length, text };
}

/** Everything else that a browser fetches for it. */
function partsOf(html: string): string[] {
  const links = html.matchAll(
    /<(?:link rel="stylesheet"|script|img)[^>]*?(?:href|src)="(\/[^"]+)"/g,
  );
  return [...new Set([...links].map(([, address = ""]) => address))];
}

test("the first load is at most 80 KB in six requests, and every next page at most 30 KB, with lists that are full", async ({
  db,
  service,
  company,
}) => {
  for (const msisdn of ["2250700000000", "2250700000001"]) await makeCustomer(db.database, msisdn);
  const transactions = Array.from({ length: rows }, (_, index) => ({
    type: "transfer",
    amount: 5_000 + index,
    msisdn: `225070000000${index % 2}`,
    reference: `salaire de novembre ${index}, Aminata Ndiaye`,
    description: "Salaire de novembre, prime comprise",
  }));
  const sent = await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: { transactions },
  });
  expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300);
  await untilSettled(db.database);
  const { sessionToken } = await signIn(db, company.id, "owner");

  const home = await load(service, "/console?days=90", sessionToken);
  const parts = partsOf(home.text);
  let total = home.bytes;
  for (const part of parts) {
    const { bytes } = await load(service, part, sessionToken);
    if (part.endsWith(".css")) expect(bytes, part).toBeLessThanOrEqual(stylesMax);
    total += bytes;
  }
  expect(parts.length).toBeGreaterThan(0);
  expect(1 + parts.length).toBeLessThanOrEqual(requestsMax);
  expect(total).toBeLessThanOrEqual(firstLoadMax);

  const operator = await signInOperator(db);
  const ofCompany = `/companies/${toPublicId("com", company.id)}`;
  const operations = ["", "/companies", ofCompany, "/stuck", "/endpoints", "/banner"];
  const pages = [
    "/transfers?limit=100",
    "/transfers/new",
    "/statements",
    "/payroll",
    "/approvals",
    "/developers",
    "/team",
    "/team/account",
    "/trail",
  ];
  for (const [path, token] of [
    ...pages.map((page) => [`/console${page}`, sessionToken] as const),
    ...operations.map((page) => [`/console/operations${page}`, operator.sessionToken] as const),
  ]) {
    const page = await load(service, path, token);
    expect(page.bytes, path).toBeLessThanOrEqual(nextPageMax);
    // Everything else it has from the first one.
    expect(
      partsOf(page.text).filter((part) => !parts.includes(part)),
      path,
    ).toEqual([]);
  }
});
