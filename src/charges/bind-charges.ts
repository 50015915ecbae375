import type { Database } from "../database/database.ts";
import { operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import {
  hasNewCharges,
  lockBinding,
  selectBoundUpto,
  selectStretch,
  selectUnboundCompanies,
} from "./bound-store.ts";

/** A company with a charge now and then has each bound within a minute, one with many is bound every five minutes. */
const pauseSeconds = 300;
/** Charges that one entry stands for: whoever compares them reads so many at once. */
const chargesMax = 1_000;

/**
 * Enters in the company's trail what never changes of its new charges: one digest of all that came since the last time. The trail is
 * chained and signed, so whoever changes, takes away or puts in a charge afterwards cannot make the entry agree with it. Charges
 * themselves are written without it, and wait for nothing. Any number of nodes may do it at once.
 */
export async function bindCharges(
  database: Database,
  companyId: string,
  mayGoOn: () => boolean = () => true,
): Promise<void> {
  let isMore = await hasNewCharges(database, companyId);
  while (isMore && mayGoOn()) isMore = await bindNext(database, companyId);
}

/** True when there may be more. */
function bindNext(database: Database, companyId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockBinding(tx, companyId);
    const after = await selectBoundUpto(tx, companyId);
    const stretch = await selectStretch(tx, companyId, after, chargesMax);
    if (stretch === undefined) return false;
    await recordForCompany(tx, companyId, operator("seals"), {
      action: "charges.bound",
      subject: stretch.upto,
      to: { count: stretch.count, digest: stretch.digest },
    });
    return stretch.count === chargesMax;
  });
}

/** Companies whose charges wait to be bound. */
export function findUnboundCompanies(database: Database, limit: number): Promise<string[]> {
  return selectUnboundCompanies(database, pauseSeconds, limit);
}
