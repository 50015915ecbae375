import { describe, expect } from "vitest";
import { ChargeClient, chargeRequest } from "../../test/charges.ts";
import { auditDifferences, makeCompany, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";

const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("POST /v1/charges", () => {
  test("201: a created charge with exactly the documented fields", async ({ service, company }) => {
    const { status, body } = await new ChargeClient(service, company).create();

    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: expect.stringMatching(uuid),
      createdAt: timestamp,
      updatedAt: body.createdAt,
      expiresAt: new Date(Date.parse(body.createdAt) + 3_600_000).toISOString(),
      paidAt: null,
      externalId: "order-1",
      description: "Order 1",
      currency: "XOF",
      amount: 10_000,
      due: 10_000,
      fees: { currency: "XOF", rate: 0, value: 0 },
      status: "created",
      droppedReason: null,
      paid: 0,
      refunded: 0,
      attempts: 0,
      metadata: {},
      paymentUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pay\/[A-Za-z0-9_-]{64}$/),
      transactions: [],
    });
    expect(Math.abs(Date.parse(body.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  test("201: metadata and subCompanyId come back; unknown fields, nulls and a whole 7500.0 are fine", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const { accessToken: token } = company;
    const shop = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
    const { id: subCompanyId } = (
      await service.call("POST", "/v1/sub-companies", { token, body: shop })
    ).body;
    const metadata = { b: [1, null], a: { "": "x" } };
    const answer = await charges.create({ metadata, subCompanyId, currency: "XOF", paid: 5 });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ subCompanyId, currency: "XOF", paid: 0 });
    expect(JSON.stringify(answer.body.metadata)).toBe(JSON.stringify(metadata));

    const nulls = { externalId: "nulls", metadata: null, subCompanyId: null };
    const plain = await charges.create(nulls);
    expect([plain.status, plain.body.metadata]).toEqual([201, {}]);
    expect(plain.body).not.toHaveProperty("subCompanyId");
    const body = JSON.stringify({ ...chargeRequest, externalId: "whole" }).replace(
      "10000",
      "7500.0",
    );
    const whole = await service.call("POST", "/v1/charges", { token, body });
    expect([whole.status, whole.body.amount]).toEqual([201, 7_500]);
  });

  test("201: the fee is the rate's share of the amount, half up, as agreed when it was created", async ({
    db,
    service,
  }) => {
    const company = await makeCompany(db.database, { chargeFeeRatePpm: 15_000 });
    const charges = new ChargeClient(service, company);
    const expected = { 33: 0, 34: 1, 100: 2, 10_000: 150, 200_000_000: 3_000_000 };
    for (const [amount, value] of Object.entries(expected)) {
      const { body } = await charges.create({ amount: Number(amount), externalId: amount });
      expect(body.fees, amount).toEqual({ currency: "XOF", rate: 0.015, value });
    }
  });

  test("201: the bounds of the amount are the company's own; 400: outside of them", async ({
    db,
    service,
    company,
  }) => {
    const usual = new ChargeClient(service, company);
    expect((await usual.create({ amount: 1, externalId: "least" })).status).toBe(201);
    expect((await usual.create({ amount: 200_000_000, externalId: "most" })).status).toBe(201);
    for (const amount of [0, -1, 200_000_001]) {
      const { status, body } = await usual.create({ amount });
      expect([status, body.details[0].field], String(amount)).toEqual([400, "amount"]);
    }
    const own = await makeCompany(db.database, { chargeAmount: { min: 500, max: 1_000 } });
    const bounded = new ChargeClient(service, own);
    const statuses = [];
    for (const amount of [499, 500, 1_000, 1_001])
      statuses.push((await bounded.create({ amount, externalId: `${amount}` })).status);
    expect(statuses).toEqual([400, 201, 201, 400]);
  });

  test("409: an externalId is used once, for ever; details has the charge that has it", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.made();
    const { status, body } = await charges.create({ amount: 5 });

    expect(status).toBe(409);
    expect(body.code).toBe("duplicate_external_id");
    expect(body.details).toEqual([
      { field: "externalId", code: "duplicate_external_id", message: body.message, id },
    ]);
    expect((await charges.list()).body.count).toBe(1);
  });

  test("409: of one hundred identical requests at once one is created", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const answers = await Promise.all(Array.from({ length: 100 }, () => charges.create()));

    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect([created.length, refused.length]).toEqual([1, 99]);
    for (const { body } of refused) expect(body.details[0].id).toBe(created[0]?.body.id);
    expect(await db.database.query(sql`select 1 from charges`)).toHaveLength(1);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("422: sub-companies that are unknown or inactive, and nobody else in the set pays for it", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const { accessToken: token } = company;
    const shop = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
    const { id } = (await service.call("POST", "/v1/sub-companies", { token, body: shop })).body;
    await service.call("PUT", `/v1/sub-companies/${id}`, { token, body: { isActive: false } });
    const named = [id, "subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6", "nonsense"];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        charges.create({
          externalId: `e${index}`,
          ...(index % 5 < 3 ? { subCompanyId: named[index % 5] } : {}),
        }),
      ),
    );

    for (const [index, { status, body }] of answers.entries()) {
      if (index % 5 > 2) expect(status).toBe(201);
      else {
        const code = index % 5 === 0 ? "sub_company_inactive" : "sub_company_not_found";
        expect([status, body.code], `${index}`).toEqual([422, code]);
      }
    }
  });

  test("201 and 422: an Idempotency-Key repeats its answer, `created` included; with another body it is refused", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const key = { "idempotency-key": "once" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => charges.create({}, key)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers.has("idempotency-replayed"));
    expect(replays).toHaveLength(19);
    const id = answers[0]?.body.id;
    await charges.pay(id);
    const later = await charges.create({}, key);
    expect([later.status, later.body.status]).toEqual([201, "created"]);

    const other = await charges.create({ amount: 1 }, key);
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
    // A refusal is not kept: the key is free for what comes after it.
    const fresh = { "idempotency-key": "second" };
    expect((await charges.create({}, fresh)).status).toBe(409);
    expect((await charges.create({ externalId: "order-2" }, fresh)).status).toBe(201);
    expect((await charges.create({}, { "idempotency-key": "é" })).status).toBe(400);
  });
});
