import fc from "fast-check";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import {
  ChargeClient,
  chargeEvents,
  decliner,
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
  startService,
  type TestDatabase,
  test,
} from "../../test/fixtures.ts";
import { DatabaseUnavailable, OutcomeUnknown } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import { cancelCharge } from "./cancel-charge.ts";

const person = "2250711111111";
const payers = [payer, person, decliner, "2250799999999"];
const chargesMade = 4;

type Kind = "pay" | "cancel" | "expire" | "refund" | "refund all" | "spend" | "crash";

interface Action {
  readonly kind: Kind;
  /** Few charges, so that actions meet on the same one. */
  readonly charge: number;
  readonly amount: number;
  readonly payer: number;
}

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant<Kind>("pay") },
    { weight: 12, arbitrary: fc.constant<Kind>("refund") },
    { weight: 2, arbitrary: fc.constant<Kind>("refund all") },
    { weight: 2, arbitrary: fc.constant<Kind>("cancel") },
    { weight: 2, arbitrary: fc.constant<Kind>("expire") },
    { weight: 2, arbitrary: fc.constant<Kind>("spend") },
    { weight: 1, arbitrary: fc.constant<Kind>("crash") },
  ),
  charge: fc.nat(chargesMade - 1),
  amount: fc.integer({ min: 1, max: 3_000 }),
  payer: fc.nat(payers.length - 1),
});

// Rounds of actions that race with one another.
const rounds = fc.array(fc.array(action, { minLength: 3, maxLength: 10 }), {
  minLength: 2,
  maxLength: 5,
});

test("any sequence of pay, fail, cancel, expire, refund and crash, racing, leaves the books in order", async ({
  db,
}) => {
  // Without workers: a lease that a crash leaves behind would only be waited for.
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  await makeCustomer(db.database, person);
  await giveEach(db, [person], 40_000);

  await fc.assert(
    fc.asyncProperty(rounds, fc.nat(999_999), async (plan, chargeFeeRatePpm) => {
      const company = await makeCompany(db.database, { fund: 5_000, chargeFeeRatePpm });
      const charges = new ChargeClient(service, company);
      const ids: string[] = [];
      for (let index = 0; index < chargesMade; index += 1)
        ids.push(await charges.made({ externalId: `c${index}`, amount: 1 + index * 2_500 }));
      const before = await wallets(db);
      let refundsAnswered = 0;
      let isCertain = true;

      const act = async (one: Action) => {
        const id = ids[one.charge] ?? "";
        switch (one.kind) {
          case "pay": {
            const { status } = await charges.pay(id, payers[one.payer]);
            expect([200, 422, 503]).toContain(status);
            return;
          }
          case "refund":
          case "refund all": {
            const asked = one.kind === "refund" ? { amount: one.amount } : {};
            const earlier = (await charges.get(id)).body.refunded;
            const { status, body } = await charges.refund(id, asked);
            expect([200, 400, 422, 503]).toContain(status);
            isCertain &&= status !== 503;
            if (status === 200) refundsAnswered += body.transactions.at(-1).amount;
            if (status === 200) expect(body.refunded).toBeGreaterThan(earlier ?? 0);
            return;
          }
          case "cancel":
            await unlessAway(() => cancelCharge(paymentsOf(db), company.id, id));
            return;
          case "expire":
            await unlessAway(() => expire(db, id));
            return;
          case "spend": {
            const reference = `s${one.amount}`;
            const body = { type: "transfer", amount: 5_000, msisdn: payer, reference };
            const token = company.accessToken;
            const { status } = await service.call("POST", "/v1/transactions", { token, body });
            expect([201, 402, 409, 503]).toContain(status);
            return;
          }
          case "crash":
            await breakConnections(db);
        }
      };
      for (const round of plan) await Promise.all(round.map(act));

      if (plan.flat().some(({ kind }) => kind === "crash")) await untilBack(db);
      expect(await auditDifferences(db.database)).toEqual([]);
      await expectOneEnd(db, company.id);
      const money = await moneyOf(db, company.id);
      expect(outOfPocket(before, await wallets(db))).toEqual(money.outOfPocket);
      if (isCertain) expect(money.refunded).toBe(refundsAnswered);
      else expect(money.refunded).toBeGreaterThanOrEqual(refundsAnswered);
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

/** By the charges' own account: what each payer has paid and not got back. */
async function moneyOf({ database }: TestDatabase, companyId: string) {
  const rows = await database.query<{ msisdn: string; paid: number; refunded: number }>(sql`
    select t.msisdn, sum(c.paid)::int8 as paid, sum(c.refunded)::int8 as refunded
    from charges c
    join charge_transactions t
      on t.company_id = c.company_id and t.charge_id = c.id and t.type = 'payment' and t.status = 'completed'
    where c.company_id = ${companyId} group by t.msisdn`);
  const of = (msisdn: string) => {
    const row = rows.find((one) => one.msisdn === msisdn);
    return (row?.paid ?? 0) - (row?.refunded ?? 0);
  };
  return {
    outOfPocket: [of(payer), of(person)],
    refunded: rows.reduce((sum, { refunded }) => sum + refunded, 0),
  };
}

/** Each charge told of its changes in an order that can be, and of one end only. */
async function expectOneEnd(db: TestDatabase, companyId: string): Promise<void> {
  const told = new Map<string, string[]>();
  for (const { subject, data } of await chargeEvents(db, companyId))
    told.set(subject, [...(told.get(subject) ?? []), String(data["status"])]);
  for (const statuses of told.values())
    expect(statuses.join(" ")).toMatch(/^(?:dropped|paid(?: refunded_partially)*(?: refunded)?)$/);
  const rows = await db.database.query<{ id: string; status: string }>(sql`
    select id, status from charges where company_id = ${companyId}`);
  for (const { id, status } of rows) expect(told.get(id)?.at(-1) ?? "due").toBe(status);
}

async function wallets(db: TestDatabase): Promise<number[]> {
  return [await walletOf(db, payer), await walletOf(db, person)];
}

function outOfPocket(before: readonly number[], after: readonly number[]): number[] {
  return before.map((balance, index) => balance - (after[index] ?? 0));
}

/** What happens to a service whose database restarts, without the wait. */
async function breakConnections({ url }: TestDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'cauri:%'`,
  );
  await client.end();
}

async function unlessAway(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable || error instanceof OutcomeUnknown)) throw error;
  }
}

/** Until the pool has noticed all of its connections that were broken. */
async function untilBack({ database }: TestDatabase): Promise<void> {
  for (let good = 0, tries = 0; good < 20 && tries < 500; tries += 1) {
    try {
      await Promise.all(Array.from({ length: 10 }, () => database.query(sql`select 1`)));
      good += 1;
    } catch {
      good = 0;
    }
  }
}
