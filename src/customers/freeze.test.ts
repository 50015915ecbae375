import { describe, expect } from "vitest";
import { ChargeClient, fillWallet, walletOf } from "../../test/charges.ts";
import {
  auditDifferences,
  makeCustomer,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { CustomerNotFound } from "./errors.ts";
import { setCustomer, setWalletFrozen } from "./keep-book.ts";

const phone = "2250711111111";
const by = operator("customer freeze");
const freeze = ({ database }: TestDatabase, isFrozen = true) =>
  setWalletFrozen(database, phone, isFrozen, by);

async function reasonOfTransfer(
  { database }: TestDatabase,
  service: TestService,
  { accessToken: token }: TestCompany,
  reference: string,
): Promise<string | null> {
  const body = { type: "transfer", amount: 5_000, msisdn: phone, reference };
  const { body: made } = await service.call("POST", "/v1/transactions", { token, body });
  await untilSettled(database);
  const { body: ended } = await service.call("GET", `/v1/transactions/${made.id}`, { token });
  return ended.failureReason;
}

describe("a frozen wallet", () => {
  const ways = {
    "frozen by the operator": {
      close: (db: TestDatabase) => freeze(db),
      open: (db: TestDatabase) => freeze(db, false),
    },
    "whose KYC was rejected": {
      close: (db: TestDatabase) => setCustomer(db.database, phone, { kycStatus: "rejected" }),
      open: (db: TestDatabase) => setCustomer(db.database, phone, { kycStatus: "complete" }),
    },
  };
  for (const [name, { close, open }] of Object.entries(ways))
    test(`${name} neither receives, pays nor is refunded, until it is opened again`, async ({
      db,
      service,
      company,
    }) => {
      await makeCustomer(db.database, phone);
      await fillWallet(db, service, company, phone, 20_000);
      const charges = new ChargeClient(service, company);
      const paid = await charges.made({ externalId: "paid" });
      expect((await charges.pay(paid, phone)).body.status).toBe("paid");
      const due = await charges.made({ externalId: "due" });

      await close(db);
      expect(await reasonOfTransfer(db, service, company, "closed")).toBe(
        "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT",
      );
      const payment = await charges.pay(due, phone);
      expect(payment.body).toMatchObject({ status: "due", transactions: [{ error: "DECLINED" }] });
      const refund = await charges.refund(paid);
      expect([refund.status, refund.body.code]).toEqual([422, "wallet_frozen"]);
      expect(await walletOf(db, phone)).toBe(10_000);

      await open(db);
      expect(await reasonOfTransfer(db, service, company, "open")).toBe(null);
      expect((await charges.refund(paid)).body.status).toBe("refunded");
      expect((await charges.pay(due, phone)).body.status).toBe("paid");
      expect(await walletOf(db, phone)).toBe(15_000);
      expect(await auditDifferences(db.database)).toEqual([]);
    });

  test("stays frozen when only one of the two reasons goes, and one that is rejected from the start is frozen", async ({
    db,
  }) => {
    const isFrozen = async () =>
      (await db.database.query(sql`select 1 from wallets where is_frozen`)).length > 0;
    await makeCustomer(db.database, phone, "rejected");
    expect(await isFrozen()).toBe(true);
    expect(await freeze(db)).toBe(true);
    expect(await freeze(db)).toBe(false);
    await setCustomer(db.database, phone, { kycStatus: "complete" });
    expect(await isFrozen()).toBe(true);
    await freeze(db, false);
    expect(await isFrozen()).toBe(false);
    await expect(setWalletFrozen(db.database, "2250799999999", true, by)).rejects.toThrow(
      CustomerNotFound,
    );
  });
});

describe("a freeze that commits first wins", () => {
  const wallet = `select 1 from wallets where msisdn = '${phone}'`;

  test("over a payment that waited for the wallet", async ({ db, service, company }) => {
    await makeCustomer(db.database, phone);
    await fillWallet(db, service, company, phone, 20_000);
    const charges = new ChargeClient(service, company);
    const id = await charges.made();
    const release = await holdLock(db, wallet);
    // Both wait for the same row, the freeze before the payment.
    const frozen = freeze(db);
    await untilLockAwaited(db.database);
    const payment = charges.pay(id, phone);
    await untilWaiting(db, 2);
    await release();

    await frozen;
    expect((await payment).body).toMatchObject({ status: "due" });
    expect(await walletOf(db, phone)).toBe(20_000);
  });

  test("over a settlement that passed the wallet over while it was held", async ({
    db,
    company,
  }) => {
    await makeCustomer(db.database, phone);
    const api = await startService(db, { ROLES: "api" });
    const body = { type: "transfer", amount: 5_000, msisdn: phone, reference: "one" };
    await api.call("POST", "/v1/transactions", { token: company.accessToken, body });
    const release = await holdLock(db, wallet);
    const frozen = freeze(db);
    await untilLockAwaited(db.database);
    const worker = await startService(db, { ROLES: "worker" });
    await untilWaiting(db, 2);
    await release();
    await frozen;
    await untilSettled(db.database);
    await api.stop();
    await worker.stop();

    const outcomes = await db.database.query(sql`select failure_reason from outcomes`);
    expect(outcomes).toEqual([{ failure_reason: "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT" }]);
    expect(await walletOf(db, phone)).toBe(0);
  });
});

test("two changes of a customer at once are both kept, and a rejection is not undone", async ({
  db,
}) => {
  await makeCustomer(db.database, phone);
  const release = await holdLock(db, `select 1 from customers where msisdn = '${phone}'`);
  const changes = [
    setCustomer(db.database, phone, { kycStatus: "rejected" }),
    setCustomer(db.database, phone, { balanceMax: 300_000 }),
    setCustomer(db.database, phone, { lastName: "Ndiaye" }),
  ];
  await untilWaiting(db, 3);
  await release();
  await Promise.all(changes);

  const [customer] = await db.database.query(sql`
    select last_name, kyc_status, balance_max from customers where msisdn = ${phone}`);
  expect(customer).toEqual({
    last_name: "Ndiaye",
    kyc_status: "rejected",
    balance_max: 300_000,
  });
  expect(await db.database.query(sql`select is_frozen from wallets`)).toEqual([
    { is_frozen: true },
  ]);
});

/** Until so many wait for a lock in this database. */
async function untilWaiting({ database }: TestDatabase, count: number): Promise<void> {
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await database.query(waiting)).length)
    .toBeGreaterThanOrEqual(count);
}
