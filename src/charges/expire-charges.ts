import type { Tx } from "../database/database.ts";
import { dropEnded } from "./drop-charges.ts";
import type { Payments } from "./payments.ts";
import { selectNextExpiryMs, selectOverdueIds } from "./store.ts";

/** Where `submit_charges` marks companies with charges that can expire. */
export const chargeQueue = "charges";

const setSize = 500;
const setsMax = 10;
/** Readers drop what they find overdue themselves, so the worker need not hurry and works in sets. */
const pauseMs = 500;

/** Drops a bounded part of what a company has overdue, the longest first. */
export async function expireCompany(
  payments: Payments,
  companyId: string,
  mayGoOn: () => boolean,
): Promise<void> {
  for (let set = 0; set < setsMax && mayGoOn(); set += 1) {
    const taken = await expireSet(payments, companyId);
    if (taken < setSize) return;
  }
}

/** One set; returns how many were found overdue. */
export async function expireSet(payments: Payments, companyId: string): Promise<number> {
  const ids = await selectOverdueIds(payments.database, companyId, setSize);
  if (ids.length > 0) await dropEnded(payments, companyId, ids);
  return ids.length;
}

/** In how many milliseconds the next charge of a company expires; undefined when none is due. */
export async function nextExpiryMs(tx: Tx, companyId: string): Promise<number | undefined> {
  const ms = await selectNextExpiryMs(tx, companyId);
  if (ms === undefined) return undefined;
  return ms <= 0 ? 0 : Math.max(pauseMs, Math.ceil(ms));
}
