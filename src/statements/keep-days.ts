import type { Database } from "../database/database.ts";
import { insertDayTotals, selectUnkeptDays } from "./days-store.ts";
import { totalsUpto } from "./totals.ts";

/** As many days as are ever drawn, and one before them. */
const daysMax = 100;

/** Keeps the sums of the newest sealed days that have none: they were sealed by a release that kept none. */
export async function keepOlderDays(
  database: Database,
  companyId: string,
  mayGoOn: () => boolean,
): Promise<void> {
  for (const { day, number } of await selectUnkeptDays(database, companyId, daysMax)) {
    if (!mayGoOn()) return;
    const totals = await totalsUpto(database, companyId, undefined, number);
    await database.transaction((tx) => insertDayTotals(tx, companyId, day, totals));
  }
}
