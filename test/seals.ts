import { fundCompany } from "../src/companies/fund-company.ts";
import { openLedgerKey } from "../src/statements/ledger-key.ts";
import type { Seal } from "../src/statements/seal.ts";
import { type Sealing, sealNextDay } from "../src/statements/seal-days.ts";
import { box, type TestDatabase } from "./fixtures.ts";

export const zone = "Africa/Dakar";

export async function sealingOf({ database }: TestDatabase, timeZone = zone): Promise<Sealing> {
  const key = await openLedgerKey(database, box);
  return { database, key, timeZoneOf: async () => timeZone };
}

/** Seals whatever can be. */
export async function sealAll(sealing: Sealing, companyId: string): Promise<Seal[]> {
  const seals: Seal[] = [];
  while (true) {
    const outcome = await sealNextDay(sealing, companyId);
    if (outcome.kind !== "sealed") return seals;
    seals.push(outcome.seal);
  }
}

export async function fund(
  { database }: TestDatabase,
  companyId: string,
  amount: number,
): Promise<void> {
  await fundCompany(database, new Date(), { companyId, amount });
}
