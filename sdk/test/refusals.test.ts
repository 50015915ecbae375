import * as sdk from "@cauri/sdk";
import { expect } from "vitest";
import { chargeRequest, payer } from "../../test/charges.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { clientOf, failureOf } from "./client.ts";

function transferTo(msisdn: string, reference: string) {
  return { amount: 5_000, msisdn, reference };
}

test("each refusal is an error of its kind, with the service's words and the request's name", async ({
  service,
  company,
  db,
}) => {
  const { cauri } = clientOf(service, company, { language: "fr" });
  const poor = await makeCompany(db.database, { fund: 0 });
  const made = await cauri.transfers.create(transferTo(payer, "one"));

  const conflict = await failureOf(cauri.transfers.create(transferTo(payer, "one")));
  expect(conflict).toBeInstanceOf(sdk.ConflictError);
  expect(conflict).toMatchObject({
    kind: "conflict",
    status: 409,
    code: "duplicate_reference",
    existingId: made.id,
    correlationId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  expect((conflict as Error).message).toContain("porte déjà la référence");
  const funds = clientOf(service, poor).cauri.transfers.create(transferTo(payer, "two"));
  expect(await failureOf(funds)).toBeInstanceOf(sdk.InsufficientFundsError);
  const invalid = cauri.transfers.create(transferTo("12", "three"));
  expect(await failureOf(invalid)).toBeInstanceOf(sdk.InvalidRequestError);
  const stranger = clientOf(service, { accessToken: "at_nobody" }).cauri.balance();
  expect(await failureOf(stranger)).toBeInstanceOf(sdk.AuthenticationError);
  const other = clientOf(service, company, { companyId: poor.id }).cauri.balance();
  expect(await failureOf(other)).toBeInstanceOf(sdk.ForbiddenError);
  const named = cauri.transfers.get("txn_nothing", { correlationId: "mine:7" });
  expect(await failureOf(named)).toMatchObject({ kind: "not_found", correlationId: "mine:7" });
});

test("a key that is given again answers what was done; with another body it is refused", async ({
  service,
  company,
}) => {
  const { cauri } = clientOf(service, company);
  const options = { idempotencyKey: "payroll 2026-11, row 7" };

  const first = await cauri.transfers.create(transferTo(payer, "one"), options);
  const second = await cauri.transfers.create(transferTo(payer, "one"), options);
  expect(second).toEqual(first);
  const reused = await failureOf(cauri.transfers.create(transferTo(payer, "two"), options));
  expect(reused).toBeInstanceOf(sdk.IdempotencyKeyReusedError);
});

// Guards the money: what is missing or no number would be a refund of everything.
test("an amount to refund that went missing on its way is refused before it is sent", async ({
  service,
  company,
}) => {
  const { cauri } = clientOf(service, company);
  const charge = await cauri.charges.create(chargeRequest);
  await cauri.charges.pay(charge.id, { recipientMsisdn: payer });

  for (const amount of [undefined, null, Number.NaN, 0, -5, 1.5, "100", 2 ** 53]) {
    const error = await failureOf(cauri.charges.refund(charge.id, { amount } as sdk.NewRefund));
    expect(error).toBeInstanceOf(sdk.InvalidArgumentError);
  }
  expect((await cauri.charges.get(charge.id)).refunded).toBe(0);
});
