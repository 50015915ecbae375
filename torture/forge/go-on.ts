import { expireSet } from "../../src/charges/expire-charges.ts";
import { fundCompany } from "../../src/companies/fund-company.ts";
import { openVault } from "../../src/companies/vault.ts";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { Metrics } from "../../src/kernel/metrics.ts";
import { keepBooks } from "../tamper/town.ts";
import type { ForgeTown } from "./town.ts";

/** The service works on for a day: money moves, charges end, audit logs are chained and signed, days are sealed. */
export async function goOn({ source, companies }: ForgeTown, database: Database): Promise<void> {
  await setClock(database, "24 hours");
  for (const companyId of companies) {
    await expireSet(paymentsOn(database), companyId);
    // It may be gone.
    await fundCompany(database, new Date(), { companyId, amount: 1_000 }).catch(() => undefined);
  }
  await setClock(database, "48 hours");
  // What cannot be opened any more signs nothing: that, too, somebody notices.
  await openVault(database, source)
    .then((box) => keepBooks(database, box))
    .catch(() => undefined);
}

function paymentsOn(database: Database): Parameters<typeof expireSet>[0] {
  const policy = readConfig({});
  return {
    database,
    policy,
    refundPartsMax: policy.quotas.refundsPerChargeMax,
    outcomes: new Metrics().counter("charges", "Charges."),
    onEvent: () => {},
  };
}

/** Of the database, against the machine's. */
export async function setClock(database: Database, by: string): Promise<void> {
  await database.query(sql`update clock.shift set by = ${by}::interval returning 1`);
}
