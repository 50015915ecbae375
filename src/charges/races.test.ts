import { expect } from "vitest";
import {
  accountsOf,
  ChargeClient,
  chargeEvents,
  expire,
  giveEach,
  payer,
  paymentsOf,
  walletOf,
} from "../../test/charges.ts";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  type TestCompany,
  type TestDatabase,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { cancelCharge } from "./cancel-charge.ts";
import { dropOverdue } from "./drop-charges.ts";

const rounds = 60;

// The time ends a little later in each round: before the payment, while it is under way, after it.
test(`pay against expiry, ${rounds} times: paid or dropped, never both, and everybody is told the same`, async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const payments = paymentsOf(db);
  let paid = 0;
  for (let round = 0; round < rounds; round += 1) {
    const id = await charges.made({ externalId: `r${round}` });
    await expire(db, id, round);
    const reads: string[] = [];
    const read = async () => {
      for (let times = 0; times < 5; times += 1) reads.push((await charges.get(id)).body.status);
    };
    const [payment] = await Promise.all([
      charges.pay(id),
      read(),
      dropOverdue(payments, company.id, [id]),
      charges.list(),
    ]);
    await expire(db, id);

    const { body } = await charges.get(id);
    expect(["paid", "dropped"]).toContain(body.status);
    expect(payment.status).toBe(body.status === "paid" ? 200 : 422);
    if (payment.status === 422) expect(payment.body.message).toContain("is dropped;");
    // Due for a while, and then for ever what it came to be.
    expect(reads.join(" ")).toMatch(new RegExp(`^(?:due ?)*(?:${body.status} ?)*$`));
    paid += body.status === "paid" ? 1 : 0;
  }
  await expectBooks(db, company, paid, rounds);
});

test("422: a charge whose time ends while its payment waits for the wallet, and nothing is paid", async ({
  db,
  service,
  company,
}) => {
  const person = "2250711111110";
  await makeCustomer(db.database, person);
  await giveEach(db, [person], 10_000);
  const charges = new ChargeClient(service, company);
  const id = await charges.made();
  const unlock = await holdLock(db, `select 1 from wallets where msisdn = '${person}'`);

  const payment = charges.pay(id, person);
  await untilLockAwaited(db.database);
  await expire(db, id);
  await unlock();

  expect((await payment).status).toBe(422);
  expect(await walletOf(db, person)).toBe(10_000);
  expect((await charges.get(id)).body).toMatchObject({ status: "dropped", paid: 0 });
  expect(await auditDifferences(db.database)).toEqual([]);
});

test(`pay against cancel, ${rounds} times: one of them wins, and the other knows it`, async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const payments = paymentsOf(db);
  let paid = 0;
  for (let round = 0; round < rounds; round += 1) {
    const id = await charges.made({ externalId: `r${round}` });
    const both = [() => charges.pay(id), () => cancelCharge(payments, company.id, id)] as const;
    const [payment, cancelled] =
      round % 2 === 0
        ? await Promise.all([both[0](), both[1]()])
        : await Promise.all([both[1](), both[0]()]).then(
            ([second, first]) => [first, second] as const,
          );

    const { body } = await charges.get(id);
    expect(cancelled.status).toBe(body.status);
    expect(payment.status).toBe(body.status === "paid" ? 200 : 422);
    expect(body.droppedReason).toBe(body.status === "paid" ? null : "CANCELED");
    paid += body.status === "paid" ? 1 : 0;
  }
  await expectBooks(db, company, paid, rounds);
});

test("pay against pay: of ten payments at once, by one payer or by ten, one goes through", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const people = Array.from({ length: 10 }, (_, index) => `22507111111${10 + index}`);
  for (const person of people) await makeCustomer(db.database, person);
  await giveEach(db, people, 150_000);
  for (let round = 0; round < 20; round += 1) {
    const id = await charges.made({ externalId: `r${round}` });
    const answers = await Promise.all(
      people.map((person) => charges.pay(id, round % 2 === 0 ? payer : person)),
    );

    expect(count(answers)).toEqual({ 200: 1, 422: 9 });
    const { body } = await charges.get(id);
    const completed = body.transactions.filter(
      (one: { status: string }) => one.status === "completed",
    );
    expect([body.paid, completed.length]).toEqual([10_000, 1]);
  }
  expect(await auditDifferences(db.database)).toEqual([]);
});

test(`refund against refund for the last franc, ${rounds} times: one gets it, the other 400`, async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { fund: 0, chargeFeeRatePpm: 333_333 });
  const charges = new ChargeClient(service, company);
  for (let round = 0; round < rounds; round += 1) {
    const id = await charges.paid({ externalId: `r${round}`, amount: 3 });
    expect((await charges.refund(id, { amount: 2 })).status).toBe(200);
    const answers = await Promise.all([
      charges.refund(id, { amount: 1 }),
      charges.refund(id, { amount: 1 }),
    ]);

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await charges.get(id)).body).toMatchObject({ status: "refunded", refunded: 3 });
  }
  expect(await walletOf(db, payer)).toBe(0);
  expect(Object.values(await accountsOf(db, company.id))).toEqual([0, 0, 0, 0, 0]);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("fifty full refunds at once: one succeeds; fifty parts of a third: three succeed", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const [whole, parts] = [
    await charges.paid({ externalId: "whole" }),
    await charges.paid({ externalId: "parts", amount: 10_001 }),
  ];
  const fifty = (refund: () => ReturnType<typeof charges.refund>) =>
    Promise.all(Array.from({ length: 50 }, refund));
  const [fulls, thirds] = await Promise.all([
    fifty(() => charges.refund(whole)),
    fifty(() => charges.refund(parts, { amount: 3_333 })),
  ]);

  expect(count(fulls)).toEqual({ 200: 1, 422: 49 });
  expect(count(thirds)).toEqual({ 200: 3, 400: 47 });
  expect((await charges.get(whole)).body).toMatchObject({ status: "refunded", refunded: 10_000 });
  expect((await charges.get(parts)).body).toMatchObject({ refunded: 9_999 });
  expect(await walletOf(db, payer)).toBe(-2);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("refunds that race with transfers for the company's last money never overdraw it", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { fund: 0 });
  const charges = new ChargeClient(service, company);
  const token = company.accessToken;
  for (let round = 0; round < 15; round += 1) {
    const id = await charges.paid({ externalId: `r${round}` });
    const body = { type: "transfer", amount: 6_000, msisdn: payer, reference: `r${round}` };
    const [refund, transfer] = await Promise.all([
      charges.refund(id, { amount: 6_000 }),
      service.call("POST", "/v1/transactions", { token, body }),
    ]);
    const outcome = `${refund.status} ${transfer.status}`;
    // What is left over adds up, so now and then both fit.
    expect(["200 402", "422 201", "200 201"]).toContain(outcome);
  }
  await untilSettled(db.database);
  expect(await auditDifferences(db.database)).toEqual([]);
});

/** The charges of a test that were paid are in the books, all others are dropped, and each was told once. */
async function expectBooks(db: TestDatabase, company: TestCompany, paid: number, all: number) {
  const { available, paid_out } = await accountsOf(db, company.id);
  expect([available, paid_out]).toEqual([1_000_000 + paid * 10_000, 0 - paid * 10_000]);
  expect(await walletOf(db, payer)).toBe(0 - paid * 10_000);
  const events = await chargeEvents(db, company.id);
  expect(events).toHaveLength(all);
  expect(new Set(events.map(({ subject }) => subject)).size).toBe(all);
  expect(events.filter(({ data }) => data["status"] === "paid")).toHaveLength(paid);
  expect(await auditDifferences(db.database)).toEqual([]);
}

function count(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
