import { describe, expect } from "vitest";
import { ChargeClient, payer } from "../../test/charges.ts";
import { box, makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { revokeKey, rotateKey } from "../companies/credentials.ts";
import { KeyNotFound } from "../companies/errors.ts";
import { fundCompany } from "../companies/fund-company.ts";
import { addCustomer, setCustomer, setWalletFrozen } from "../customers/keep-book.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { toPublicId } from "../kernel/ids.ts";
import { operator } from "./actor.ts";
import { readTrail } from "./read-trail.ts";
import { changesBetween } from "./trail.ts";

const everything = { companyId: undefined, since: undefined, before: undefined, limit: 100 };
const awa = {
  msisdn: "2250711111111",
  firstName: "Awa",
  lastName: "Diop",
  kycStatus: "pending",
  balanceMax: null,
} as const;

async function actionsOf({ database }: TestDatabase, companyId?: string): Promise<string[]> {
  const entries = await readTrail(database, { ...everything, companyId });
  return entries.map(({ action }) => action);
}

describe("the trail", () => {
  test("what the holder of a key changes is there with the key, the route and from what to what; a repetition is not", async ({
    db,
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const logoUrl = "https://awa.example/logo.png";
    const headers = { "idempotency-key": "once" };
    const body = { name: "Awa", logoUrl };
    const sub = await service.call("POST", "/v1/sub-companies", { token, body, headers });
    await service.call("POST", "/v1/sub-companies", { token, body, headers });
    const path = `/v1/sub-companies/${sub.body.id}`;
    await service.call("PUT", path, { token, body: { name: "Awa & fils", isActive: true } });
    await service.call("PUT", path, { token, body: {} });
    const hook = { topic: "charge/events", url: "http://127.0.0.1:9/" };
    const { body: webhook } = await service.call("POST", "/v1/webhooks", { token, body: hook });
    await service.call("DELETE", `/v1/webhooks/${webhook.id}`, { token });
    await service.call("DELETE", `/v1/webhooks/${webhook.id}`, { token });
    const charges = new ChargeClient(service, company);
    const chargeId = await charges.paid();
    expect((await charges.refund(chargeId, { amount: 4_000 })).status).toBe(200);
    expect((await charges.refund(chargeId, { amount: 9_000 })).status).toBe(400);

    const entries = await readTrail(db.database, { ...everything, companyId: company.id });
    expect(entries.map(({ action, subject, via }) => [action, subject, via])).toEqual([
      ["charge.refunded", chargeId, "POST /v1/charges/:id/refund"],
      ["webhook.deleted", webhook.id, "DELETE /v1/webhooks/:id"],
      ["webhook.created", webhook.id, "POST /v1/webhooks"],
      ["sub_company.changed", sub.body.id, "PUT /v1/sub-companies/:id"],
      ["sub_company.created", sub.body.id, "POST /v1/sub-companies"],
      ["company.created", toPublicId("com", company.id), "a program"],
    ]);
    expect(entries[3]?.changes).toEqual({ name: { from: "Awa", to: "Awa & fils" } });
    expect(entries[0]?.changes).toMatchObject({ refunded: { from: 0, to: 4_000 } });
    const [key] = await db.database.query<{ key_id: string }>(sql`
      select key_id from access_tokens where company_id = ${company.id}`);
    for (const { by } of entries.slice(0, -1))
      expect(by).toEqual({ keyId: key?.key_id, address: "127.0.0.1" });
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  test("what the operator changes is there with the account and the command; what fails is not", async ({
    db,
    company,
  }) => {
    const { database } = db;
    const signals = new Signals(db.url, database);
    const request = { companyId: company.id, overlapSeconds: 60 };
    const by = operator("test command");
    const issued = await rotateKey(database, signals, box, new Date(), request, by);
    await revokeKey(database, signals, issued.keyId, by);
    await expect(revokeKey(database, signals, company.id, by)).rejects.toThrow(KeyNotFound);
    const funding = { companyId: company.id, amount: 5_000, reference: "bank 17" };
    await fundCompany(database, new Date(), funding, by);
    await addCustomer(database, awa, by);
    await setCustomer(database, awa.msisdn, { kycStatus: "rejected" }, by);
    await setWalletFrozen(database, awa.msisdn, true, by);
    await setWalletFrozen(database, awa.msisdn, true, by);
    await expect(addCustomer(database, awa, by)).rejects.toThrow();

    const entries = await readTrail(database, everything);
    expect(entries.map(({ action }) => action)).toEqual([
      "customer.frozen",
      "customer.changed",
      "customer.added",
      "company.funded",
      "key.revoked",
      "key.issued",
      "company.created",
    ]);
    expect(entries[1]).toMatchObject({
      by: { operator: by.operator },
      via: "test command",
      subject: awa.msisdn,
      companyId: null,
      changes: { kycStatus: { from: "pending", to: "rejected" } },
    });
    expect(entries[3]?.changes).toEqual({
      balance: { from: 1_000_000, to: 1_005_000 },
      amount: { from: null, to: 5_000 },
      reference: { from: null, to: "bank 17" },
    });
    const text = JSON.stringify(entries);
    for (const secret of [issued.accessToken, issued.secretKey, company.accessToken])
      expect(text).not.toContain(secret);
  });

  test("a change that is rolled back leaves no entry, and an entry that cannot be written no change", async ({
    db,
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    await db.database.query({
      text: "alter table company_trail add constraint full_up check (action <> 'charge.refunded')",
      values: [],
    });
    const charges = new ChargeClient(service, company);
    const chargeId = await charges.paid();

    expect((await charges.refund(chargeId)).status).toBe(500);

    expect((await charges.get(chargeId)).body).toMatchObject({ status: "paid", refunded: 0 });
    expect(await actionsOf(db, company.id)).toEqual(["company.created"]);
    expect(payer).not.toBe(token);
  });

  test("the database refuses to change, delete or truncate it", async ({ db, company }) => {
    await addCustomer(db.database, awa);
    expect(await actionsOf(db)).toEqual(["customer.added", "company.created"]);
    for (const table of ["company_trail", "customer_trail"])
      for (const statement of [
        `update ${table} set operator = 'nobody'`,
        `delete from ${table}`,
        `truncate ${table}`,
      ])
        await expect(db.database.query({ text: statement, values: [] })).rejects.toThrow(
          "append-only",
        );
    expect(await actionsOf(db, company.id)).toEqual(["company.created"]);
  });

  test("its pages join without a gap and a company sees its own alone", async ({ db }) => {
    const { database } = db;
    const [one, other] = [await makeCompany(database), await makeCompany(database)];
    const since = new Date(Date.now() - 60_000);
    for (let count = 0; count < 4; count += 1) {
      await fundCompany(database, new Date(), { companyId: one.id, amount: 1 });
      await fundCompany(database, new Date(), { companyId: other.id, amount: 1 });
      await addCustomer(database, { ...awa, msisdn: `225071111111${count}` });
    }
    const all = await readTrail(database, { ...everything, since });
    expect(all).toHaveLength(14);

    const paged: string[] = [];
    for (let before: string | undefined; paged.length < 14; before = paged.at(-1)) {
      const page = await readTrail(database, { ...everything, before, limit: 4 });
      expect(page.length).toBeGreaterThan(0);
      paged.push(...page.map(({ id }) => id));
    }
    expect(paged).toEqual(all.map(({ id }) => id));
    const own = await readTrail(database, { ...everything, companyId: one.id });
    expect(own.map(({ companyId }) => companyId)).toEqual(Array(5).fill(one.id));
    const later = { ...everything, since: new Date(Date.now() + 3_600_000) };
    expect(await readTrail(database, later)).toEqual([]);
  });

  test("only what differs is kept, and long texts are cut", () => {
    const url = `https://shop.example/${"x".repeat(2_000)}`;
    const { logoUrl, ...rest } = changesBetween(
      { a: 1, logoUrl: "" },
      { a: 1, b: true, logoUrl: url },
    );
    expect(rest).toEqual({ b: { from: null, to: true } });
    expect(String(logoUrl?.to)).toHaveLength(301);
  });
});
