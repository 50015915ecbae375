import { type Page, type PageRequest, toPage } from "../kernel/page.ts";
import type { Charge } from "./charge.ts";
import { dropOverdue } from "./drop-charges.ts";
import { ChargeNotFound } from "./errors.ts";
import { expireSet } from "./expire-charges.ts";
import type { Payments } from "./payments.ts";
import { type ChargeFilter, type ReadCharge, selectCharge, selectChargePage } from "./store.ts";

/**
 * A charge as it is now. One whose time is over but that still says due is dropped first, under its row
 * lock: a payment under way is waited for, and no reader sees a state that is contradicted later.
 */
export async function findCharge(
  payments: Payments,
  companyId: string,
  chargeId: string,
): Promise<Charge | undefined> {
  const read = await selectCharge(payments.database, companyId, chargeId);
  if (read?.isOverdue !== true) return read?.charge;
  const [charge] = await dropOverdue(payments, companyId, [chargeId]);
  return charge;
}

export async function getCharge(
  payments: Payments,
  companyId: string,
  chargeId: string | undefined,
): Promise<Charge> {
  const charge =
    chargeId === undefined ? undefined : await findCharge(payments, companyId, chargeId);
  if (charge === undefined) throw new ChargeNotFound();
  return charge;
}

/** What is overdue in the page is dropped before it is shown, as when one charge is read. */
export async function listCharges(
  payments: Payments,
  companyId: string,
  filter: ChargeFilter,
  request: PageRequest,
): Promise<Page<Charge>> {
  // These would be missing from the list if nobody has dropped them yet.
  if (filter.status === "dropped") await expireSet(payments, companyId);
  const read = await selectChargePage(payments.database, companyId, filter, request);
  return toPage(
    { name: "charges", companyId },
    request,
    await asTheyAre(payments, companyId, read),
  );
}

/** What is overdue is dropped before it is shown, as when one charge is read. */
export async function asTheyAre(
  payments: Payments,
  companyId: string,
  read: readonly ReadCharge[],
): Promise<Charge[]> {
  const overdue = read.filter(({ isOverdue }) => isOverdue).map(({ charge }) => charge.id);
  const after = overdue.length === 0 ? [] : await dropOverdue(payments, companyId, overdue);
  const byId = new Map(after.map((charge) => [charge.id, charge]));
  return read.map(({ charge }) => byId.get(charge.id) ?? charge);
}
