import { expect } from "vitest";
import { ChargeClient, chargeRequest } from "../../test/charges.ts";
import { test } from "../../test/fixtures.ts";

const header = "cauri-ignored-fields";
const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000" };

test("201: fields that are not known are named in the answer, nested ones by their place", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  const post = (path: string, body: unknown) => service.call("POST", path, { token, body });
  const plain = await post("/v1/transactions", { ...transfer, reference: "r1", currency: "XOF" });
  expect([plain.status, plain.headers.get(header)]).toEqual([201, null]);

  const metadata = { anything: { goes: 1 } };
  const named = { ...transfer, reference: "r2", metadata, sub_company_id: "x", descripton: "y" };
  const odd = await post("/v1/transactions", named);
  expect([odd.status, odd.headers.get(header)]).toEqual([201, "sub_company_id, descripton"]);

  const batch = await post("/v1/transactions/batch", {
    note: 1,
    transactions: [
      { ...transfer, reference: "b1" },
      { ...transfer, reference: "b2", "né, \r\n": 1, "\ud83d": 2, "": 3, ",": 4 },
    ],
  });
  expect([batch.status, batch.headers.get(header)]).toEqual([
    201,
    "note, transactions[1].n%C3%A9%2C%20%0D%0A, transactions[1].%EF%BF%BD, transactions[1].%22%22, transactions[1].%2C",
  ]);
});

test.for([
  ["é", 5_000],
  ["漢", 10],
  ["😀", 11],
  ["x", 100],
] as const)(
  "the header is short: names of %s, %d of them",
  async ([letter, count], { service, company }) => {
    const many = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${letter}${index}`.padEnd(90, letter), 1]),
    );
    const charges = new ChargeClient(service, company);
    const { status, headers } = await charges.create({ ...chargeRequest, ...many });
    expect(status).toBe(201);
    const named = headers.get(header)?.split(", ") ?? [];
    expect(named[0]).toContain(encodeURIComponent(`${letter}0`));
    expect(named.at(-1)).toBe(`and ${count - named.length + 1} more`);
    expect(headers.get(header)?.length).toBeLessThan(1_024);
  },
);

test("400: a body that is refused has them named too; where nothing else is accepted, nothing is ignored", async ({
  service,
  company,
}) => {
  const token = company.accessToken;
  const body = { ...transfer, referense: "r" };
  const refused = await service.call("POST", "/v1/transactions", { token, body });
  expect([refused.status, refused.headers.get(header)]).toEqual([400, "referense"]);

  const charges = new ChargeClient(service, company);
  const refund = await charges.refund(await charges.paid(), { amonut: 1 });
  expect([refund.status, refund.headers.get(header)]).toEqual([400, null]);
});
