import { createHash } from "node:crypto";
import { expect } from "vitest";
import { ChargeClient, payer, paymentsOf } from "../../test/charges.ts";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import type { Database, Tx } from "../database/database.ts";
import { operator } from "../trail/actor.ts";
import { payChargeOnce } from "./pay-charge.ts";
import type { Payments } from "./payments.ts";
import { refundCharge } from "./refund-charge.ts";

class TakenBack extends Error {}

/** A node whose first try is taken back at its end, as by a deadlock; `meanwhile` happens before it is run again. */
function unlucky({ database }: TestDatabase, meanwhile: () => Promise<unknown>) {
  let runs = 0;
  return {
    get runs() {
      return runs;
    },
    database: {
      async transactionOf<Result>(owner: string, work: (tx: Tx) => Promise<Result>) {
        runs += 1;
        await database
          .transactionOf(owner, async (tx) => {
            await work(tx);
            throw new TakenBack();
          })
          .catch((error: unknown) => {
            if (!(error instanceof TakenBack)) throw error;
          });
        await meanwhile();
        return database.transactionOf(owner, work);
      },
    } as unknown as Database,
  };
}

/** What a node tells the others and counts. */
function told(payments: Payments, database: Database) {
  const events: string[] = [];
  const own = { ...payments, database, onEvent: (companyId: string) => events.push(companyId) };
  return { events, payments: own };
}

const keyOf = (key: string) => ({ key, requestHash: createHash("sha256").update(key).digest() });

test("a payment and a refund that were taken back, and made by another node before they were run again, are told by that node alone", async ({
  db,
  service,
  company,
}) => {
  const chargeId = await new ChargeClient(service, company).made();
  const other = told(paymentsOf(db), db.database);
  const show = ({ status }: { status: string }) => ({ status });
  const acts = [
    (payments: Payments) => {
      const request = { companyId: company.id, chargeId, msisdn: payer };
      return payChargeOnce(payments, request, keyOf("pay"), show);
    },
    (payments: Payments) => {
      const request = { companyId: company.id, chargeId, amount: 4_000, by: operator("a test") };
      return refundCharge(payments, request, keyOf("refund"), show);
    },
  ];

  for (const [place, act] of acts.entries()) {
    const node = unlucky(db, () => act(other.payments));
    const own = told(paymentsOf(db), node.database);
    const answer = await act(own.payments);

    expect(answer).toMatchObject({ statusCode: 200, isReplay: true });
    expect(node.runs).toBe(1);
    expect(other.events).toHaveLength(place + 1);
    expect(own.events).toEqual([]);
  }
});
