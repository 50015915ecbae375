import type { Tx } from "../database/database.ts";
import { isFrozen } from "../ledger/freeze.ts";
import { dropAndTell } from "./books-store.ts";
import { type Charge, chargeCan, type DroppedReason } from "./charge.ts";
import type { Payments } from "./payments.ts";
import { lockCharges, type ReadCharge } from "./store.ts";

/**
 * Drops those of these charges whose time is over and answers all of them as they then are. A payment under
 * way holds its charge's lock and is waited for: it wins or loses, and whoever reads afterwards sees which.
 */
export async function dropOverdue(
  payments: Payments,
  companyId: string,
  ids: readonly string[],
): Promise<Charge[]> {
  return dropWhere(payments, companyId, ids, ({ isOverdue }) =>
    isOverdue ? "EXPIRED" : undefined,
  );
}

/** The same for a worker, who also drops what is due of a company that is frozen. */
export async function dropEnded(
  payments: Payments,
  companyId: string,
  ids: readonly string[],
): Promise<Charge[]> {
  return dropWhere(payments, companyId, ids, ({ charge, isOverdue }, isCompanyFrozen) => {
    if (isOverdue) return "EXPIRED";
    return isCompanyFrozen && chargeCan.cancel(charge) ? "CANCELED" : undefined;
  });
}

/** Drops a charge the payer gave up; one whose time is over already has expired instead. */
export async function dropCanceled(
  payments: Payments,
  companyId: string,
  id: string,
): Promise<Charge | undefined> {
  const [charge] = await dropWhere(payments, companyId, [id], ({ charge: found, isOverdue }) => {
    if (isOverdue) return "EXPIRED";
    return chargeCan.cancel(found) ? "CANCELED" : undefined;
  });
  return charge;
}

async function dropWhere(
  payments: Payments,
  companyId: string,
  ids: readonly string[],
  reasonOf: (read: ReadCharge, isCompanyFrozen: boolean) => DroppedReason | undefined,
): Promise<Charge[]> {
  const { charges, dropped } = await payments.database.transactionOf(companyId, async (tx) => {
    const read = await lockCharges(tx, companyId, ids);
    // After the locks: a charge that is seen here was created before this look.
    const isCompanyFrozen = await isFrozen(tx, companyId);
    const droppedNow = new Map<string, Charge>();
    for (const reason of ["EXPIRED", "CANCELED"] as const) {
      const chosen = read.filter((one) => reasonOf(one, isCompanyFrozen) === reason);
      for (const charge of await drop(tx, companyId, chosen, reason))
        droppedNow.set(charge.id, charge);
    }
    return {
      charges: read.map(({ charge }) => droppedNow.get(charge.id) ?? charge),
      dropped: [...droppedNow.values()],
    };
  });
  for (const { droppedReason } of dropped)
    payments.outcomes.add({ outcome: droppedReason ?? "dropped" });
  if (dropped.length > 0) payments.onEvent(companyId);
  return charges;
}

async function drop(
  tx: Tx,
  companyId: string,
  chosen: readonly ReadCharge[],
  reason: DroppedReason,
): Promise<Charge[]> {
  if (chosen.length === 0) return [];
  const at = new Date(Math.max(...chosen.map(({ readAt }) => readAt.getTime())));
  const dropped = chosen.map(
    ({ charge }): Charge => ({ ...charge, status: "dropped", droppedReason: reason }),
  );
  const updatedAt = await dropAndTell(tx, companyId, at, dropped, reason);
  return dropped.map((charge) => ({ ...charge, updatedAt }));
}
