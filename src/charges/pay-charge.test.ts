import { describe, expect } from "vitest";
import {
  accountsOf,
  ChargeClient,
  chargeEvents,
  decliner,
  expire,
  fillWallet,
  payer,
  walletOf,
} from "../../test/charges.ts";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  productionSettings,
  startService,
  test,
} from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const person = "2250711111111";

describe("POST /v1/charges/:id/pay", () => {
  test("200: the success number pays; one payment, due 0, and where the payer goes", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const { body: created } = await charges.create();
    const { status, body } = await charges.pay(created.id, `+${payer}`);

    expect(status).toBe(200);
    expect(body).toStrictEqual({
      ...created,
      status: "paid",
      due: 0,
      paid: 10_000,
      attempts: 1,
      updatedAt: body.transactions[0].createdAt,
      paidAt: body.transactions[0].createdAt,
      transactions: [
        {
          id: uuid,
          createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
          recipientMsisdn: `+${payer}`,
          providerTransactionReference: expect.stringMatching(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/),
          amount: 10_000,
          service: "wallet",
          status: "completed",
          type: "payment",
          error: null,
        },
      ],
      webRedirectionUrl: `https://shop.example/thanks?chargeId=${created.id}&externalId=order-1`,
    });
    const { webRedirectionUrl: _, ...rest } = body;
    expect((await charges.get(created.id)).body).toStrictEqual(rest);
    expect(await charges.balance()).toBe(1_010_000);
    expect(await walletOf(db, payer)).toBe(-10_000);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("200: the failure number fails; still due, attempts 1, a failed transaction, and payable", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const { body: created } = await charges.create();
    const { status, body } = await charges.pay(created.id, decliner);

    expect(status).toBe(200);
    expect(body).toStrictEqual({
      ...created,
      status: "due",
      attempts: 1,
      updatedAt: body.transactions[0].createdAt,
      transactions: [expect.objectContaining({ status: "failed", error: "DECLINED" })],
      // The payer is still on the page, and may try again.
      webRedirectionUrl: created.paymentUrl,
    });
    expect(await charges.balance()).toBe(1_000_000);
    expect(await chargeEvents(db, company.id)).toEqual([]);

    const paid = await charges.pay(created.id);
    expect(paid.body).toMatchObject({ status: "paid", attempts: 2, paid: 10_000 });
    expect(paid.body.transactions.map((one: { status: string }) => one.status)).toEqual([
      "failed",
      "completed",
    ]);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("200: other numbers follow the book and their wallet, down to the last franc", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    await makeCustomer(db.database, person);
    await fillWallet(db, service, company, person, 10_000);
    const [stranger, all, more] = [
      await charges.made({ externalId: "a" }),
      await charges.made({ externalId: "b" }),
      await charges.made({ externalId: "c", amount: 1 }),
    ];

    const answers = [
      await charges.pay(stranger, "2250722222222"),
      await charges.pay(all, person),
      await charges.pay(more, `+${person}`),
    ];
    expect(answers.map(({ body }) => [body.status, body.transactions.at(-1).error])).toEqual([
      ["due", "ACCOUNT_NOT_FOUND"],
      ["paid", null],
      ["due", "INSUFFICIENT_FUNDS"],
    ]);
    expect(await walletOf(db, person)).toBe(0);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("the payer's history has the company, the sub-company, the description and the reference", async ({
    db,
    service,
  }) => {
    const company = await makeCompany(db.database, { name: "Aggregator" });
    const shop = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
    const { accessToken: token } = company;
    const sub = await service.call("POST", "/v1/sub-companies", { token, body: shop });
    const charges = new ChargeClient(service, company);
    const id = await charges.paid({ subCompanyId: sub.body.id });
    const { body } = await charges.refund(id, { amount: 4_000 });

    const entries = await db.database.query(sql`
      select msisdn, subject_id, event, amount, company_id, company_name, sub_company_name,
        sub_company_logo_url, description
      from wallet_entries order by created_at, subject_id`);
    const [payment, refund] = body.transactions;
    const common = {
      msisdn: payer,
      company_id: company.id,
      company_name: "Aggregator",
      sub_company_name: "Shop",
      sub_company_logo_url: "https://shop.example/logo.png",
      description: "Order 1",
    };
    expect(entries).toEqual([
      {
        ...common,
        event: "charge.paid",
        subject_id: payment.id,
        amount: -10_000,
      },
      {
        ...common,
        event: "charge.refunded",
        subject_id: refund.id,
        amount: 4_000,
      },
    ]);
  });

  test.for([
    [0, 10_000, 0],
    [10_000, 9_900, 100],
    [999_999, 0, 10_000],
  ])(
    "a fee of %d parts per million: the company gets %d, the fee is %d",
    async ([chargeFeeRatePpm, credited, fee], { db, service }) => {
      const company = await makeCompany(db.database, {
        fund: 0,
        chargeFeeRatePpm: chargeFeeRatePpm ?? 0,
      });
      const charges = new ChargeClient(service, company);
      await charges.paid();

      expect(await accountsOf(db, company.id)).toEqual({
        available: credited,
        fees: fee,
        paid_out: -10_000,
        in_flight: 0,
        external: 0,
      });
      expect(await auditDifferences(db.database)).toEqual([]);
    },
  );

  test("200: the same Idempotency-Key pays once and answers the first answer; a failed attempt is an answer too", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.made();
    const key = { "idempotency-key": "first try" };
    const failed = await Promise.all(
      Array.from({ length: 5 }, () => charges.pay(id, decliner, key)),
    );
    expect(new Set(failed.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(failed[0]?.body.attempts).toBe(1);
    const second = { "idempotency-key": "second try" };
    const paid = await Promise.all(Array.from({ length: 5 }, () => charges.pay(id, payer, second)));
    expect(paid.map(({ status, body }) => [status, body.status])).toEqual(
      paid.map(() => [200, "paid"]),
    );
    expect(paid.filter(({ headers }) => headers.has("idempotency-replayed"))).toHaveLength(4);
    expect((await charges.get(id)).body.attempts).toBe(2);
    expect(await walletOf(db, payer)).toBe(-10_000);
  });

  test("400: a recipientMsisdn that is missing or malformed; nothing is counted", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.made();
    const address = `/v1/charges/${id}/pay`;
    const token = company.accessToken;
    const wrong = [{}, [], "", "1", "+", "abc", 2250700000000, null, "1".repeat(16)];
    for (const one of wrong) {
      const body = JSON.stringify(
        typeof one === "object" && one !== null ? one : { recipientMsisdn: one },
      );
      const answer = await service.call("POST", address, { token, body });
      expect([answer.status, answer.body.code], body).toEqual([400, "invalid_request"]);
    }
    expect((await service.call("POST", address, { token })).status).toBe(400);
    expect((await charges.get(id)).body.attempts).toBe(0);
  });

  test("401: without a token; 404: an unknown or malformed id, whatever the body", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.made();
    const body = { recipientMsisdn: payer };
    expect((await service.call("POST", `/v1/charges/${id}/pay`, { body })).status).toBe(401);
    expect((await service.call("POST", "/v1/charges/x/pay", { body: {} })).status).toBe(401);
    for (const unknown of ["019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6", "nonsense", "%00"]) {
      for (const msisdn of [payer, "not a number"]) {
        const answer = await charges.pay(unknown, msisdn);
        expect([answer.status, answer.body.code]).toEqual([404, "charge_not_found"]);
      }
    }
  });

  test("404: in production it does not exist, in the API or its document", async ({
    db,
    company,
  }) => {
    const service = await startService(db, productionSettings(db));
    try {
      const charges = new ChargeClient(service, company);
      const id = await charges.made();
      for (const address of [id, "nonsense"]) {
        const { status, body } = await charges.pay(address);
        expect([status, body.code]).toEqual([404, "route_not_found"]);
      }
      expect((await charges.get(id)).body).toMatchObject({ status: "due", attempts: 0 });
      const document = await service.call("GET", "/openapi.json");
      expect(Object.keys(document.body.paths)).not.toContain("/v1/charges/{id}/pay");
    } finally {
      await service.stop();
    }
  });

  test("422: a charge that is not due says what it is; nothing is counted", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const expected = ["paid", "dropped", "refunded_partially", "refunded"];
    for (const status of expected) {
      const id = await charges.made({ externalId: status });
      if (status === "dropped") await expire(db, id);
      else await charges.pay(id);
      if (status === "refunded_partially") await charges.refund(id, { amount: 3 });
      if (status === "refunded") await charges.refund(id);
      const before = (await charges.get(id)).body;
      for (const msisdn of [payer, decliner]) {
        const answer = await charges.pay(id, msisdn);
        expect([answer.status, answer.body.code], status).toEqual([422, "charge_not_payable"]);
        expect(answer.body.message).toContain(`is ${status};`);
      }
      expect((await charges.get(id)).body).toStrictEqual(before);
    }
    expect(await auditDifferences(db.database)).toEqual([]);
  });
});
