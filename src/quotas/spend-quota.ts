import type { Database, Tx } from "../database/database.ts";
import { QuotaExceeded } from "./errors.ts";
import type { Quota } from "./quota.ts";
import { selectSecondsLeft, spend } from "./store.ts";

/** Counts so many more, in the transaction that is given or in one of its own; throws QuotaExceeded when that is too many. */
export async function spendQuota(
  database: Database | Tx,
  companyId: string,
  quota: Quota,
  count = 1,
): Promise<void> {
  const seconds = await spend(database, companyId, quota, count);
  if (seconds !== undefined) throw new QuotaExceeded(quota, seconds);
}

/** The same for who says in other words that it is too many: false. */
export async function trySpend(tx: Tx, companyId: string, quota: Quota): Promise<boolean> {
  return (await spend(tx, companyId, quota)) === undefined;
}

/** The refusal for what was found to be too much elsewhere: see submit_transfers. */
export async function quotaExceeded(
  database: Database,
  companyId: string,
  quota: Quota,
): Promise<QuotaExceeded> {
  return new QuotaExceeded(quota, await selectSecondsLeft(database, companyId, quota));
}
