import { chargeQueue } from "../charges/expire-charges.ts";
import { freezeCompany, unfreezeCompany } from "../companies/freeze-company.ts";
import type { Database } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import { sendHint } from "../queues/work-hints.ts";
import type { Actor } from "../trail/actor.ts";
import { transferQueue } from "../transfers/settle-transfers.ts";

interface Place {
  readonly database: Database;
  readonly signals: Signals;
}

/** Freezes a company, and has the workers end at once what it has pending. False when it was frozen already. */
export async function freeze(
  { database, signals }: Place,
  companyId: string,
  by: Actor,
  reason?: string,
): Promise<boolean> {
  const isNew = await freezeCompany(database, signals, companyId, by, reason);
  for (const queue of [transferQueue, chargeQueue]) await sendHint(signals, queue, [companyId]);
  return isNew;
}

/** False when it was not frozen. */
export function unfreeze(
  { database, signals }: Place,
  companyId: string,
  by: Actor,
  reason?: string,
): Promise<boolean> {
  return unfreezeCompany(database, signals, companyId, by, reason);
}
