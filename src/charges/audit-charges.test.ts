import { expect } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import { auditDifferences, makeCompany, startService, test } from "../../test/fixtures.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { audit } from "../ledger/audit.ts";
import { everything } from "../ledger/audit-rows.ts";
import { chargeChecks } from "./audit-charges.ts";

// Each statement is something a person with access to the tables could do by mistake.
test("every check of the audit finds what it is there for", async ({ db }) => {
  const service = await startService(db, { ROLES: "api" });
  const company = await makeCompany(db.database, { chargeFeeRatePpm: 10_000 });
  const charges = new ChargeClient(service, company);
  const id = await charges.paid();
  await charges.refund(id, { amount: 5_000 });
  const due = await charges.made({ externalId: "due" });
  await service.stop();
  const results = await audit(db.database, chargeChecks);
  expect(results.map(({ examined, differences }) => [examined, differences])).toEqual([
    [2, []],
    [2, []],
    [2, []],
    [1, []],
    [2, []],
    [2, []],
    [1, []],
  ]);

  const [made, booked, held, priced, agreed, late] = [
    "each charge is what its payments and refunds make of it",
    "each payment and refund is in the books, and no other is",
    "each payment and refund is in the payer's wallet, and no other is",
    "each charge is a company's, with the fee of its rate and a time within its bounds",
    "each charge has the rate and keeps to the limits of the price that held when it came",
    "no charge is due for more than 10 minutes after its time",
  ];
  const broken: readonly (readonly [string, readonly string[]])[] = [
    [`update charges set refunded = 4999 where id = '${id}'`, [made]],
    [`update charges set attempts = 2 where id = '${id}'`, [made]],
    [`update charges set fee = 99 where id = '${id}'`, [made, priced]],
    [`update charges set fee = 0, fee_rate_ppm = 0 where id = '${due}'`, [agreed]],
    [`update charges set attempts = 1 where id = '${due}'`, [made]],
    [`update charges set status = 'paid', paid = amount, attempts = 1 where id = '${due}'`, [made]],
    ["update charge_transactions set fee = fee + 1 where type = 'payment'", [made, booked]],
    ["update charge_transactions set fee = fee - 1 where type = 'refund'", [made, booked]],
    ["update charge_transactions set msisdn = '22500000000'", [held]],
    ["delete from charge_transactions where type = 'refund'", [made, booked, held]],
    ["delete from postings where event = 'charge.refunded' and debit_account = 'fees'", [booked]],
    [
      "update postings set credit_account = 'in_flight' where event = 'charge.paid' and credit_account = 'fees'",
      [booked],
    ],
    ["update wallet_entries set amount = amount - 1 where event = 'charge.paid'", [held]],
    ["delete from wallet_entries where event = 'charge.refunded'", [held]],
    [
      `update charges set expires_at = now() - interval '11 minutes' where id = '${due}'`,
      [priced, late],
    ],
  ];
  for (const [text, expected] of broken) {
    // Rolled back by an error of our own, so that each mistake is made on books that are in order.
    const found = await findBroken(db.database, text);
    expect(found, text).toEqual(new Set(expected));
  }
  expect(await auditDifferences(db.database)).toEqual([]);
});

class TakenBack extends Error {}

/** The checks that find something after a statement, which is taken back. */
async function findBroken(database: Database, text: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const spoil = database.transaction(async (tx) => {
    await passTriggers(tx);
    await tx.query({ text, values: [] });
    await tx.query(sql`set local enable_seqscan = on`);
    for (const check of chargeChecks)
      if ((await check.find(tx, everything)).length > 0) found.add(check.name);
    throw new TakenBack();
  });
  await expect(spoil).rejects.toThrow(TakenBack);
  return found;
}
