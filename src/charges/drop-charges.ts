import type { Tx } from "../database/database.ts";
import { retryDeadlocks } from "../database/retry.ts";
import { publishCharges } from "./books-store.ts";
import { type Charge, chargeCan, type DroppedReason } from "./charge.ts";
import type { Payments } from "./payments.ts";
import { lockCharges, type ReadCharge, updateDropped } from "./store.ts";

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
  reasonOf: (read: ReadCharge) => DroppedReason | undefined,
): Promise<Charge[]> {
  const { charges, dropped } = await retryDeadlocks(() =>
    payments.database.transactionOf(companyId, async (tx) => {
      const read = await lockCharges(tx, companyId, ids);
      const droppedNow = new Map<string, Charge>();
      for (const reason of ["EXPIRED", "CANCELED"] as const) {
        const chosen = read.filter((one) => reasonOf(one) === reason);
        for (const charge of await drop(tx, companyId, chosen, reason))
          droppedNow.set(charge.id, charge);
      }
      return {
        charges: read.map(({ charge }) => droppedNow.get(charge.id) ?? charge),
        dropped: [...droppedNow.values()],
      };
    }),
  );
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
  const [first] = chosen;
  if (first === undefined) return [];
  const dropped = chosen.map(
    ({ charge }): Charge => ({
      ...charge,
      status: "dropped",
      droppedReason: reason,
      updatedAt: first.readAt,
    }),
  );
  const ids = dropped.map(({ id }) => id);
  await updateDropped(tx, companyId, first.readAt, ids, reason);
  await publishCharges(tx, companyId, dropped);
  return dropped;
}
