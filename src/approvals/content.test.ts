import { expect, test } from "vitest";
import { type Content, hashOf, readContent, totalsOf, writeContent } from "./content.ts";

const companyId = "01890000-0000-7000-8000-000000000001";
const row = {
  line: 2,
  msisdn: "221771234567",
  amount: 25_000,
  fee: 250,
  reference: 'salaire\n"mars"',
  description: "Été ; prime",
};
const payroll: Content = {
  kind: "payroll",
  subCompanyId: null,
  price: 3,
  rows: [row, { ...row, line: 3, reference: "b", description: null }],
};
const refund: Content = { kind: "refund", chargeId: companyId, amount: 5_000 };

test.for([payroll, refund])("what was written is read again: %#", (content) => {
  expect(readContent(writeContent(companyId, content))).toEqual(content);
});

test("what it comes to stands in its first line", () => {
  const [first] = writeContent(companyId, payroll).toString("utf8").split("\n");

  expect(totalsOf(payroll)).toEqual({ count: 2, amount: 50_000, fee: 500 });
  expect(JSON.parse(first ?? "")).toMatchObject({ count: 2, amount: 50_000, fee: 500, price: 3 });
});

test("another franc, digit, letter, fee, price, order, sub-company or company is another hash", () => {
  const hash = (content: Content, company = companyId) =>
    hashOf(writeContent(company, content)).toString("hex");
  const withRow = (change: Partial<typeof row>): Content => ({
    ...payroll,
    rows: [{ ...row, ...change }, ...payroll.rows.slice(1)],
  });
  const hashes = [
    hash(payroll),
    hash(payroll, "01890000-0000-7000-8000-000000000002"),
    hash(withRow({ amount: 25_001 })),
    hash(withRow({ fee: 251 })),
    hash(withRow({ msisdn: "221771234568" })),
    hash(withRow({ reference: "other" })),
    hash(withRow({ description: "Ete ; prime" })),
    hash(withRow({ line: 4 })),
    hash({ ...payroll, price: 4 }),
    hash({ ...payroll, subCompanyId: companyId }),
    hash({ ...payroll, rows: payroll.rows.toReversed() }),
    hash({ ...payroll, rows: payroll.rows.slice(1) }),
    hash(refund),
    hash({ ...refund, amount: 5_001 }),
  ];

  expect(new Set(hashes).size).toBe(hashes.length);
  expect(hash({ ...payroll, rows: payroll.rows.map((one) => ({ ...one })) })).toBe(hash(payroll));
});
