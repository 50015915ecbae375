import type { Database } from "../database/database.ts";
import { nextId } from "../database/next-id.ts";
import type { Signals } from "../database/signals.ts";
import { toPublicId } from "../kernel/ids.ts";
import { setFrozen } from "../ledger/freeze.ts";
import type { Actor } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { companyIdPrefix } from "./company.ts";
import { accessTokenChannel } from "./credentials.ts";
import { getCompany } from "./find-company.ts";
import { markWork } from "./store.ts";

/** The list of charges, and the queue whose worker drops them. */
const charges = "charges";

/**
 * Freezes a company; false when it was frozen already. Whoever moves its money or creates a charge holds a lock that
 * this one takes too: what came first stands, and what comes later is refused. Workers then end what is pending.
 */
export async function freezeCompany(
  database: Database,
  signals: Signals,
  companyId: string,
  by: Actor,
  reason?: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await getCompany(tx, companyId);
    await signals.sendAtCommit(tx, accessTokenChannel, "");
    await nextId(tx, companyId, charges);
    if (!(await setFrozen(tx, companyId, true))) return false;
    await markWork(tx, companyId, charges);
    const subject = toPublicId(companyIdPrefix, companyId);
    await recordForCompany(tx, companyId, by, {
      action: "company.frozen",
      subject,
      ...saidWhy(reason),
    });
    return true;
  });
}

/** Lets a company work again; false when it was not frozen. What has ended meanwhile stays ended. */
export async function unfreezeCompany(
  database: Database,
  signals: Signals,
  companyId: string,
  by: Actor,
  reason?: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await getCompany(tx, companyId);
    await signals.sendAtCommit(tx, accessTokenChannel, "");
    if (!(await setFrozen(tx, companyId, false))) return false;
    const subject = toPublicId(companyIdPrefix, companyId);
    await recordForCompany(tx, companyId, by, {
      action: "company.unfrozen",
      subject,
      ...saidWhy(reason),
    });
    return true;
  });
}

function saidWhy(reason: string | undefined): { readonly to?: { readonly reason: string } } {
  return reason === undefined ? {} : { to: { reason } };
}
