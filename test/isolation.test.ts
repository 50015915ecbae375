import { describe, expect } from "vitest";
import { chargeRequest } from "./charges.ts";
import {
  auditDifferences,
  makeCompany,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "./fixtures.ts";

const msisdn = "2250700000000";
const row = (reference: string) => ({ amount: 5_000, msisdn, reference });
const charge = (externalId: string) => ({ ...chargeRequest, externalId });
const empty = { count: 0, limit: 15, cursor: { prev: null, next: null }, data: [] };

describe("one company and what is another's", () => {
  test("404: every id, for every method that takes one, as if it did not exist", async ({
    db,
    service,
    company,
  }) => {
    const theirs = await makeThings(db, service);
    const notTheirs = "00000000000000000000000000000000";
    const nobodys = "00000000-0000-0000-0000-000000000000";
    const addresses = {
      [`/v1/transactions/${theirs.transactionId}`]: `/v1/transactions/txn_${notTheirs}`,
      [`/v1/batches/${theirs.batchId}`]: `/v1/batches/bat_${notTheirs}`,
      [`/v1/sub-companies/${theirs.subCompanyId}`]: `/v1/sub-companies/subco_${notTheirs}`,
      [`/v1/charges/${theirs.chargeId}`]: `/v1/charges/${nobodys}`,
      [`/v1/charges/${theirs.chargeId}/pay`]: `/v1/charges/${nobodys}/pay`,
      [`/v1/charges/${theirs.chargeId}/refund`]: `/v1/charges/${nobodys}/refund`,
    };
    for (const [foreign, unknown] of Object.entries(addresses)) {
      const methods = foreign.includes("sub-companies")
        ? ["GET", "PUT"]
        : [/(?:pay|refund)$/.test(foreign) ? "POST" : "GET"];
      for (const method of methods) {
        const options = {
          token: company.accessToken,
          ...(method === "PUT" ? { body: { name: "Taken", isActive: false } } : {}),
          ...(foreign.endsWith("/pay") ? { body: { recipientMsisdn: msisdn } } : {}),
        };
        const answer = await service.call(method, foreign, options);
        expect(answer.status, foreign).toBe(404);
        const nothing = await service.call(method, unknown, options);
        expect(timeless(answer.body)).toEqual({ ...timeless(nothing.body), path: foreign });
      }
    }
    const { accessToken: token } = theirs.company;
    const sub = await service.call("GET", `/v1/sub-companies/${theirs.subCompanyId}`, { token });
    expect(sub.body).toMatchObject({ name: "Shop", isActive: true });
    const charged = await service.call("GET", `/v1/charges/${theirs.chargeId}`, { token });
    expect(charged.body).toMatchObject({ status: "paid", attempts: 1, refunded: 0 });
  });

  test("200 and empty: every list and every filter; 400: their cursors", async ({
    db,
    service,
    company,
  }) => {
    const theirs = await makeThings(db, service);
    const token = company.accessToken;
    const lists = [
      "/v1/transactions",
      "/v1/transactions?reference=theirs",
      `/v1/transactions?msisdn=${msisdn}`,
      "/v1/transactions?status=completed",
      `/v1/transactions?batchId=${theirs.batchId}`,
      `/v1/transactions?subCompanyId=${theirs.subCompanyId}`,
      "/v1/transactions?createdFrom=2020-01-01",
      "/v1/batches",
      "/v1/sub-companies",
      "/v1/charges",
      "/v1/charges?externalId=theirs",
      "/v1/charges?status=paid",
      "/v1/charges?createdFrom=2020-01-01",
    ];
    for (const path of lists) {
      const { status, body } = await service.call("GET", path, { token });
      expect([status, body], path).toEqual([200, empty]);
    }
    for (const path of ["/v1/transactions", "/v1/batches", "/v1/sub-companies", "/v1/charges"]) {
      const page = await service.call("GET", `${path}?limit=1`, {
        token: theirs.company.accessToken,
      });
      const cursor: string = page.body.cursor.next;
      const answer = await service.call("GET", `${path}?cursor=${cursor}`, { token });
      expect([answer.status, answer.body.code], path).toEqual([400, "invalid_cursor"]);
    }
  });

  test("references, keys, sub-companies and balances are each company's own", async ({
    db,
    service,
    company,
  }) => {
    const theirs = await makeThings(db, service);
    const token = company.accessToken;
    const before = await balanceOf(service, theirs.company);
    expect(await balanceOf(service, company)).toBe(1_000_000);

    const headers = { "idempotency-key": "theirs" };
    const body = { type: "transfer", ...row("theirs") };
    const same = await service.call("POST", "/v1/transactions", { token, body, headers });
    expect([same.status, same.headers.get("idempotency-replayed")]).toEqual([201, null]);
    expect(same.body.id).not.toBe(theirs.transactionId);
    const transactions = [row("theirs in a batch")];
    const batch = await service.call("POST", "/v1/transactions/batch", {
      token,
      body: { transactions },
    });
    expect(batch.status).toBe(201);
    const charged = await service.call("POST", "/v1/charges", {
      token,
      body: charge("theirs"),
      headers: { "idempotency-key": "theirs too" },
    });
    expect([charged.status, charged.headers.get("idempotency-replayed")]).toEqual([201, null]);
    expect(charged.body.id).not.toBe(theirs.chargeId);
    const { subCompanyId } = theirs;
    const onBehalf = { type: "transfer", ...row("x"), subCompanyId };
    const whole = { subCompanyId, transactions: [row("y")] };
    const single = { transactions: [{ ...row("z"), subCompanyId }] };
    const refused = [
      await service.call("POST", "/v1/transactions", { token, body: onBehalf }),
      await service.call("POST", "/v1/transactions/batch", { token, body: whole }),
      await service.call("POST", "/v1/transactions/batch", { token, body: single }),
      await service.call("POST", "/v1/charges", { token, body: { ...charge("w"), subCompanyId } }),
      await service.call(
        "GET",
        `/v1/transactions/customers/check?msisdn=${msisdn}&subCompanyId=${subCompanyId}`,
        { token },
      ),
    ];
    for (const answer of refused)
      expect([answer.status, answer.body.code]).toEqual([422, "sub_company_not_found"]);
    const named = { "x-company-id": `com_${theirs.company.id.replaceAll("-", "")}` };
    for (const path of ["/v1/balance", `/v1/transactions/${theirs.transactionId}`]) {
      const answer = await service.call("GET", path, { token, headers: named });
      expect([answer.status, answer.body.code], path).toEqual([403, "company_mismatch"]);
    }

    const used = await service.call("POST", "/v1/transactions", { token, body });
    expect([used.status, used.body.details[0].id]).toEqual([409, same.body.id]);
    await untilSettled(db.database);
    expect(await balanceOf(service, company)).toBe(990_000);
    expect(await balanceOf(service, theirs.company)).toBe(before);
    expect(await auditDifferences(db.database)).toEqual([]);
  });
});

/** Another company with two of everything, settled. */
async function makeThings(db: TestDatabase, service: TestService) {
  const company = await makeCompany(db.database, { name: "Other" });
  const { accessToken: token } = company;
  const shop = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  await service.call("POST", "/v1/sub-companies", { token, body: shop });
  const sub = await service.call("POST", "/v1/sub-companies", { token, body: shop });
  const subCompanyId: string = sub.body.id;
  const single = await service.call("POST", "/v1/transactions", {
    token,
    body: { type: "transfer", ...row("theirs") },
    headers: { "idempotency-key": "theirs" },
  });
  const body = { subCompanyId, transactions: [row("theirs in a batch")] };
  const batch = await service.call("POST", "/v1/transactions/batch", { token, body });
  await service.call("POST", "/v1/transactions/batch", {
    token,
    body: { transactions: [row("second")] },
  });
  await service.call("POST", "/v1/charges", { token, body: charge("first") });
  const charged = await service.call("POST", "/v1/charges", {
    token,
    body: charge("theirs"),
    headers: { "idempotency-key": "theirs too" },
  });
  const chargeId: string = charged.body.id;
  const paying = { token, body: { recipientMsisdn: msisdn } };
  expect((await service.call("POST", `/v1/charges/${chargeId}/pay`, paying)).status).toBe(200);
  await untilSettled(db.database);
  const [transactionId, batchId]: readonly string[] = [single.body.id, batch.body.id];
  return { company, subCompanyId, transactionId, batchId, chargeId };
}

async function balanceOf(service: TestService, { accessToken: token }: TestCompany) {
  return (await service.call("GET", "/v1/balance", { token })).body.balance;
}

function timeless(problem: Record<string, unknown>) {
  const { correlationId: _, timestamp: __, ...rest } = problem;
  return rest;
}
