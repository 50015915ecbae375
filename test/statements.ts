import { expect } from "vitest";
import type { TestCompany, TestService } from "./fixtures.ts";

export async function ask(service: TestService, { accessToken: token }: TestCompany, query = "") {
  const answer = await service.call("GET", `/v1/statement${query}`, { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

/** Every line of a statement, page by page, after a look at whether each page adds up with the others. */
export async function readAll(
  service: TestService,
  company: TestCompany,
  query: Record<string, string> = {},
) {
  const lines: Record<string, number>[] = [];
  const first = await ask(service, company, `?${new URLSearchParams(query)}`);
  let page = first;
  while (true) {
    lines.push(...page.data);
    const { openingBalance, closingBalance, totals } = page;
    expect({ openingBalance, closingBalance, totals }).toEqual({
      openingBalance: first.openingBalance,
      closingBalance: first.closingBalance,
      totals: first.totals,
    });
    if (page.cursor.next === null) break;
    const next = new URLSearchParams({ ...query, cursor: page.cursor.next });
    page = await ask(service, company, `?${next}`);
  }
  let balance = first.openingBalance;
  for (const line of lines) {
    balance += line["amount"] ?? 0;
    expect(line["balanceAfter"]).toBe(balance);
  }
  expect(balance).toBe(first.closingBalance);
  const sum = (field: string) => lines.reduce((total, line) => total + (line[field] ?? 0), 0);
  const sumOfTotals = (field: string) =>
    first.totals.reduce(
      (total: number, one: Record<string, number>) => total + (one[field] ?? 0),
      0,
    );
  expect(sumOfTotals("count")).toBe(lines.length);
  expect(sumOfTotals("amount")).toBe(sum("amount"));
  expect(sumOfTotals("fee")).toBe(sum("fee"));
  return { ...first, lines };
}

export async function makeSubCompany(
  service: TestService,
  { accessToken: token }: TestCompany,
  name: string,
): Promise<string> {
  const body = { name, logoUrl: "https://shop.example/logo.png" };
  const answer = await service.call("POST", "/v1/sub-companies", { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}
