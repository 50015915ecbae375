import { describe, expect } from "vitest";
import {
  accountsOf,
  ChargeClient,
  chargeEvents,
  expire,
  fillWallet,
  payer,
  walletOf,
} from "../../test/charges.ts";
import { auditDifferences, makeCompany, makeCustomer, test } from "../../test/fixtures.ts";

const person = "2250711111111";

describe("POST /v1/charges/:id/refund", () => {
  test("200: 3 000, 2 000, the rest; one franc more is 400, all once more is 422", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.paid();
    const before = (await charges.get(id)).body;
    const answers = [
      await charges.refund(id, { amount: 3_000 }),
      await charges.refund(id, { amount: 2_000 }),
      await charges.refund(id, {}),
    ];

    expect(answers.map(({ status, body }) => [status, body.status, body.refunded])).toEqual([
      [200, "refunded_partially", 3_000],
      [200, "refunded_partially", 5_000],
      [200, "refunded", 10_000],
    ]);
    const last = answers[2]?.body;
    expect(last).toStrictEqual({
      ...before,
      status: "refunded",
      refunded: 10_000,
      updatedAt: last.transactions[3].createdAt,
      transactions: [
        ...before.transactions,
        ...[3_000, 2_000, 5_000].map((amount) => ({
          ...before.transactions[0],
          createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          providerTransactionReference: expect.any(String),
          amount,
          type: "refund",
        })),
      ],
    });
    expect((await charges.get(id)).body).toStrictEqual(last);

    const more = await charges.refund(id, { amount: 1 });
    expect([more.status, more.body.code]).toEqual([400, "refund_exceeds_paid"]);
    const again = await charges.refund(id);
    expect([again.status, again.body.code]).toEqual([422, "charge_not_refundable"]);
    const told = (await chargeEvents(db, company.id)).map(({ data }) => data["status"]);
    expect(told).toEqual(["paid", "refunded_partially", "refunded_partially", "refunded"]);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("200: no body, an empty one, {}, {amount} and a reason alone all work", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const token = company.accessToken;
    const json = { "content-type": "application/json" };
    const bodies: readonly Record<string, unknown>[] = [
      {},
      { headers: json },
      { body: "{}", headers: json },
      { body: { amount: 10_000 } },
      { body: { reason: "broken" } },
      { body: { reason: "" } },
    ];
    for (const [index, options] of bodies.entries()) {
      const id = await charges.paid({ externalId: `e${index}` });
      const answer = await service.call("POST", `/v1/charges/${id}/refund`, { token, ...options });
      expect([answer.status, answer.body.status, answer.body.refunded], `${index}`).toEqual([
        200,
        "refunded",
        10_000,
      ]);
    }
  });

  test.for([
    [[1, 1, 1, 1, 1, 1, 1], 7, 333_333],
    [[3_333, 3_333, 3_334], 10_000, 15_000],
    [[1, 9_999], 10_000, 999_999],
    [[5_000, 5_000], 10_000, 1],
    [[101, 1, 99_999_899, 99_999_999], 200_000_000, 123_457],
  ] as const)(
    "parts %j of %d at %d parts per million undo the charge exactly",
    async ([parts, amount, chargeFeeRatePpm], { db, service }) => {
      const company = await makeCompany(db.database, { fund: 500, chargeFeeRatePpm });
      const charges = new ChargeClient(service, company);
      const before = await accountsOf(db, company.id);
      const id = await charges.paid({ amount });
      for (const part of parts) {
        expect((await charges.refund(id, { amount: part })).status).toBe(200);
        expect(await auditDifferences(db.database)).toEqual([]);
      }

      expect((await charges.get(id)).body.status).toBe("refunded");
      expect(await accountsOf(db, company.id)).toEqual(before);
      expect(await walletOf(db, payer)).toBe(0);
    },
  );

  test("200: the same Idempotency-Key refunds once, however often and at once", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.paid();
    const key = { "idempotency-key": "refund-1" };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => charges.refund(id, { amount: 4_000 }, key)),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has("idempotency-replayed"))).toHaveLength(9);
    expect((await charges.get(id)).body.refunded).toBe(4_000);
    const other = await charges.refund(id, { amount: 4_001 }, key);
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
    // The same key on another charge is another request too.
    const second = await charges.paid({ externalId: "second" });
    expect((await charges.refund(second, { amount: 4_000 }, key)).status).toBe(422);
    expect(await walletOf(db, payer)).toBe(-16_000);
  });

  test("200: what was the payer's goes back also above the ceiling of the wallet", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, person, "complete", 20_000);
    const charges = new ChargeClient(service, company);
    await fillWallet(db, service, company, person, 15_000);
    const id = await charges.made();
    expect((await charges.pay(id, person)).body.status).toBe("paid");
    await fillWallet(db, service, company, person, 14_000);

    expect((await charges.refund(id)).status).toBe(200);
    expect(await walletOf(db, person)).toBe(29_000);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("200: a reason is kept and shown with its refund, and in the same words when the key is sent again", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.paid();
    const reason = "é".repeat(255);
    const key = { "idempotency-key": "slip-1" };
    const first = await charges.refund(id, { amount: 4_000, reason }, key);
    const rest = await charges.refund(id);
    const again = await charges.refund(id, { amount: 4_000, reason }, key);

    expect(again.body).toStrictEqual(first.body);
    const shown = (await charges.get(id)).body.transactions;
    expect(rest.body.transactions).toStrictEqual(shown);
    expect(shown.map((one: object) => ("reason" in one ? one.reason : undefined))).toEqual([
      undefined,
      reason,
      undefined,
    ]);
  });

  test.for([
    [{ amount: null }, "amount", "amount is null; it must be a whole number of at least 1."],
    [{ reason: null }, "reason", "reason is null; it must be text of at most 255 characters."],
    [{ reason: "x".repeat(256) }, "reason", "reason is too long"],
    [{ Amount: 1_000 }, "Amount", "Amount is not a known field; did you mean amount?"],
    [{ amonut: 1_000 }, "amonut", "amonut is not a known field; did you mean amount?"],
    [{ montant: 1_000 }, "montant", "montant is not a known field; leave it out."],
    [{ data: { amount: 1_000 } }, "data", "data is not a known field; leave it out."],
    [{ amount: 1_000, amount_xof: 1 }, "amount_xof", "amount_xof is not a known field"],
    [{ "a\u202eb": 1 }, "a\u202eb", "a\\u202eb is not a known field"],
    [{ ["x".repeat(101)]: 1 }, "x".repeat(100), `${"x".repeat(100)} is not a known field`],
  ] as const)(
    "400: %j refunds nothing and names the field",
    async ([sent, field, said], { service, company }) => {
      const charges = new ChargeClient(service, company);
      const id = await charges.paid();
      const { status, body } = await charges.refund(id, sent);

      expect([status, body.code]).toEqual([400, "invalid_request"]);
      expect(body.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
      expect(body.message).toContain(said);
      expect(body.message).toContain("Nothing was refunded.");
      expect((await charges.get(id)).body).toMatchObject({ status: "paid", refunded: 0 });
    },
  );

  test("400: also in French", async ({ service, company }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.paid();
    const { body } = await charges.refund(id, { amonut: 1_000 }, { "accept-language": "fr" });
    expect(body.message).toBe(
      "amonut n’est pas un champ connu. Vouliez-vous écrire amount\u00a0? Champs connus ici\u00a0: amount, reason. Rien n’a été remboursé. Sans amount, tout ce qui reste est remboursé.",
    );
  });

  test("400: more than was paid, more than is left, and what is no amount", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.paid();
    for (const amount of [0, -1, 1.5, "100", true, [1], {}]) {
      const { status, body } = await charges.refund(id, { amount });
      expect([status, body.code], JSON.stringify(amount)).toEqual([400, "invalid_request"]);
    }
    for (const body of ["null", "[]", "7", "{"]) {
      const answer = await service.call("POST", `/v1/charges/${id}/refund`, {
        token: company.accessToken,
        body,
      });
      expect(answer.status, body).toBe(400);
    }
    const most = await charges.refund(id, { amount: 10_001 });
    expect([most.status, most.body.code]).toEqual([400, "refund_exceeds_paid"]);
    expect((await charges.refund(id, { amount: 4_000 })).status).toBe(200);
    const left = await charges.refund(id, { amount: 6_001 });
    expect([left.status, left.body.code]).toEqual([400, "refund_exceeds_paid"]);
    expect(left.body.message).toContain("6000");
    expect((await charges.get(id)).body).toMatchObject({ refunded: 4_000 });
  });

  test("401: without a token; 404: an unknown or malformed id, whatever the body", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.paid();
    expect((await service.call("POST", `/v1/charges/${id}/refund`)).status).toBe(401);
    expect((await service.call("POST", "/v1/charges/x/refund", { body: [] })).status).toBe(401);
    for (const unknown of ["019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6", "nonsense", "%00"]) {
      for (const body of [undefined, { amount: "x" }]) {
        const answer = await charges.refund(unknown, body);
        expect([answer.status, answer.body.code]).toEqual([404, "charge_not_found"]);
      }
    }
  });

  test("422: a charge that was never paid, with an amount or without", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    for (const status of ["due", "dropped"]) {
      const id = await charges.made({ externalId: status });
      if (status === "dropped") await expire(db, id);
      for (const body of [undefined, {}, { amount: 1 }, { amount: 10_001 }]) {
        const answer = await charges.refund(id, body);
        expect([answer.status, answer.body.code]).toEqual([422, "charge_not_refundable"]);
        expect(answer.body.message).toContain(`is ${status};`);
      }
    }
  });

  test("422: the company has spent the money; what still fits can be refunded", async ({
    db,
    service,
  }) => {
    const company = await makeCompany(db.database, { fund: 0, chargeFeeRatePpm: 100_000 });
    const charges = new ChargeClient(service, company);
    const id = await charges.paid();
    await fillWallet(db, service, company, payer, 5_000);
    expect(await charges.balance()).toBe(4_000);

    const whole = await charges.refund(id);
    expect([whole.status, whole.body.code]).toEqual([422, "insufficient_funds"]);
    // 4 000 on the account and 445 of the fee make 4 445; a franc more does not fit.
    const more = await charges.refund(id, { amount: 4_446 });
    expect([more.status, more.body.code]).toEqual([422, "insufficient_funds"]);
    const { status, body } = await charges.refund(id, { amount: 4_445 });
    expect([status, body.status]).toEqual([200, "refunded_partially"]);
    expect(await charges.balance()).toBe(0);
    expect(await auditDifferences(db.database)).toEqual([]);
  });
});
