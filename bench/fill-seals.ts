import { dayAfter, dayOf, startOfDay } from "../src/kernel/days.ts";
import { selectChainAt } from "../src/statements/chain-store.ts";
import { openLedgerKey } from "../src/statements/ledger-key.ts";
import { selectLastBefore } from "../src/statements/lines-store.ts";
import { signSeal } from "../src/statements/seal.ts";
import { keepSeal } from "../src/statements/seal-days.ts";
import { closeUntil } from "../src/statements/seals-store.ts";
import { balanceOf, totalsUpto } from "../src/statements/totals.ts";
import { benchBox } from "./keys.ts";
import type { Book } from "./postgres.ts";

/** Where the companies of the bench are. */
export const timeZone = "Africa/Abidjan";

/**
 * Seals the days of a history that are over, as a worker does every night. It computes no chain again, because nobody
 * but the filling has written it; the audit does.
 */
export async function sealDays(
  { database, companyId }: Pick<Book, "database" | "companyId">,
  begin: Date,
  until: Date,
): Promise<void> {
  const key = await openLedgerKey(database, benchBox);
  for (let day = dayOf(begin, timeZone); ; day = dayAfter(day)) {
    const end = startOfDay(dayAfter(day), timeZone);
    if (end > until) return;
    await closeUntil(database, companyId, end);
    const number = await selectLastBefore(database, companyId, end);
    const hash = await selectChainAt(database, companyId, number);
    if (hash === null) throw new Error(`no set ends with posting ${number}`);
    const totals = await totalsUpto(database, companyId, undefined, number);
    const balance = balanceOf(totals);
    const seal = signSeal(key, { companyId, day, until: end, number, balance, hash });
    await keepSeal(database, seal, totals, key.publicKey);
  }
}
