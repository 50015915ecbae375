import { expect } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import { auditDifferences, test } from "../../test/fixtures.ts";

const hourMs = 3_600_000;

test("a charge says when it was made, changed, paid and until when it is due; each payment and refund says its moment", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const headers = { "idempotency-key": "made" };
  const made = await charges.create({}, headers);
  const { id, createdAt, updatedAt, expiresAt, paidAt } = made.body;
  expect([updatedAt, paidAt]).toEqual([createdAt, null]);
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(hourMs);
  expect((await charges.get(id)).body).toMatchObject({ createdAt, updatedAt, expiresAt, paidAt });

  const paid = await charges.pay(id, undefined, { "idempotency-key": "paid" });
  const [payment] = paid.body.transactions;
  expect(paid.body).toMatchObject({
    expiresAt,
    paidAt: payment.createdAt,
    updatedAt: payment.createdAt,
  });
  expect(payment.createdAt >= createdAt).toBe(true);
  const refunded = await charges.refund(id, { amount: 1_000 });
  const [, refund] = refunded.body.transactions;
  expect(refunded.body).toMatchObject({ paidAt: payment.createdAt, updatedAt: refund.createdAt });
  expect((await charges.get(id)).body).toMatchObject({
    updatedAt: refund.createdAt,
    transactions: [{ createdAt: payment.createdAt }, { createdAt: refund.createdAt }],
  });

  // Sent again, both answer what they answered the first time, whatever has happened since.
  expect((await charges.create({}, headers)).body).toEqual(made.body);
  const again = await charges.pay(id, undefined, { "idempotency-key": "paid" });
  expect(again.body).toEqual(paid.body);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("an attempt that failed has its moment too, and the charge is not paid by it", async ({
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const id = await charges.made();

  const { body } = await charges.pay(id, "2250700000001");

  expect(body.transactions).toMatchObject([{ status: "failed", createdAt: body.updatedAt }]);
  expect(body.paidAt).toBe(null);
});
