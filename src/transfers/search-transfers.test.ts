import { expect, onTestFinished } from "vitest";
import {
  makeCompany,
  makeCustomer,
  startService,
  type TestDatabase,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { makeSubCompany } from "../../test/statements.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { type PageRequest, parsePageRequest } from "../kernel/page.ts";
import {
  searchTransfers,
  sumTransfers,
  type TransferSearch,
  walkTransfers,
} from "./search-transfers.ts";
import type { Transfer } from "./transfer.ts";

const known = "2250700000000";
const stranger = "2250733333333";

/** 2 600 transfers: every fifth fails, one in a hundred is large, one in two is of a sub-company; twenty wait. */
async function makeTransfers(db: TestDatabase) {
  const service = await startService(db);
  const company = await makeCompany(db.database, { fund: 1_000_000_000 });
  await makeCustomer(db.database, known, "complete", 1_000_000_000);
  const subCompanyId = await makeSubCompany(service, company, "Shop");
  const send = (first: number, count: number) =>
    service.call("POST", "/v1/transactions/batch", {
      token: company.accessToken,
      body: {
        transactions: Array.from({ length: count }, (_, place) => {
          const n = first + place;
          return {
            type: "transfer",
            reference: `r-${n}`,
            msisdn: n % 5 === 0 ? stranger : known,
            amount: n % 100 === 0 ? 400_000 : 5_000 + n,
            ...(n % 2 === 0 ? { subCompanyId } : {}),
          };
        }),
      },
    });
  expect((await send(0, 1_300)).status).toBe(201);
  expect((await send(1_300, 1_280)).status).toBe(201);
  await untilSettled(db.database);
  await service.stop();
  const api = await startService(db, { ROLES: "api" });
  onTestFinished(() => api.stop());
  const waiting = await api.call("POST", "/v1/transactions", {
    token: company.accessToken,
    body: { type: "transfer", reference: "waiting", msisdn: known, amount: 6_000 },
  });
  expect(waiting.status).toBe(201);
  return { companyId: company.id, subCompanyId: parsePublicId("subco", subCompanyId) ?? "" };
}

async function walkAll(db: TestDatabase, companyId: string, search: TransferSearch) {
  const all: Transfer[] = [];
  for await (const some of walkTransfers(db.database, companyId, search)) all.push(...some);
  return all;
}

/** All pages from the newest on, and the way back. */
async function turnPages(
  db: TestDatabase,
  companyId: string,
  search: TransferSearch,
  limit: number,
) {
  const list = { name: "transactions", companyId };
  const forth: Transfer[] = [];
  let request: PageRequest = { limit };
  let last = await searchTransfers(db.database, companyId, search, request);
  forth.push(...last.rows);
  while (last.next !== null) {
    request = parsePageRequest(list, { limit, cursor: last.next });
    last = await searchTransfers(db.database, companyId, search, request);
    expect(last.rows.length).toBeLessThanOrEqual(limit);
    forth.push(...last.rows);
  }
  const back: Transfer[] = [...last.rows];
  while (last.prev !== null) {
    request = parsePageRequest(list, { limit, cursor: last.prev });
    last = await searchTransfers(db.database, companyId, search, request);
    back.unshift(...last.rows);
  }
  return { forth, back };
}

test("pages, sums and exports of a search have exactly what is meant, however far apart it is", async ({
  db,
}) => {
  const { companyId, subCompanyId } = await makeTransfers(db);
  const all = await walkAll(db, companyId, {});
  expect(all).toHaveLength(2_581);
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  const middle = new Date(
    Number.parseInt(all[1_290]?.id.replaceAll("-", "").slice(0, 12) ?? "", 16),
  );

  const searches: [TransferSearch, (transfer: Transfer) => boolean][] = [
    [{}, () => true],
    [{ amountMin: 300_000 }, ({ amount }) => amount >= 300_000],
    [
      { amountMax: 5_050, status: "completed" },
      (t) => t.amount <= 5_050 && t.status === "completed",
    ],
    [{ amountMin: 6_000, amountMax: 6_000 }, ({ amount }) => amount === 6_000],
    [{ status: "pending" }, ({ status }) => status === "pending"],
    [{ status: "failed", amountMin: 7_000 }, (t) => t.status === "failed" && t.amount >= 7_000],
    [
      { failureReason: "SERVICE_ACCOUNT_NOT_FOUND" },
      ({ failureReason }) => failureReason === "SERVICE_ACCOUNT_NOT_FOUND",
    ],
    [{ failureReason: "UNKNOWN_ERROR" }, () => false],
    [{ failureReason: "SERVICE_ACCOUNT_NOT_FOUND", status: "completed" }, () => false],
    [
      { subCompanyId, amountMin: 400_000 },
      (t) => t.subCompanyId === subCompanyId && t.amount >= 400_000,
    ],
    [{ msisdn: stranger, amountMax: 5_500 }, (t) => t.msisdn === stranger && t.amount <= 5_500],
    [
      { createdTo: middle, amountMin: 7_500 },
      (t) =>
        t.amount >= 7_500 &&
        t.id.replaceAll("-", "").slice(0, 12) <= middle.getTime().toString(16).padStart(12, "0"),
    ],
  ];
  for (const [search, isMeant] of searches) {
    const expected = all.filter(isMeant);
    const what = JSON.stringify(search);
    expect(await walkAll(db, companyId, search), what).toEqual(expected);
    const sum = (field: "amount" | "fee") => expected.reduce((total, t) => total + t[field], 0);
    expect(await sumTransfers(db.database, companyId, search), what).toEqual({
      count: expected.length,
      amount: sum("amount"),
      fee: sum("fee"),
      isMore: false,
    });
    const { forth, back } = await turnPages(db, companyId, search, 100);
    expect(forth, what).toEqual(expected);
    expect(back, what).toEqual(expected);
  }
  const few = await searchTransfers(db.database, companyId, { amountMin: 450_000 }, { limit: 15 });
  expect(few).toMatchObject({ rows: [], looked: 1_000 });
});
