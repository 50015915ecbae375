import type { Charge } from "./charge.ts";
import { dropCanceled } from "./drop-charges.ts";
import { ChargeNotFound } from "./errors.ts";
import type { Payments } from "./payments.ts";

/**
 * The payer gave up: a due charge is dropped. Answers the charge as it then is; one that was no longer due
 * stays what it was, so pressing twice is one cancellation, and a payment that came first stands.
 */
export async function cancelCharge(
  payments: Payments,
  companyId: string,
  chargeId: string,
): Promise<Charge> {
  const charge = await dropCanceled(payments, companyId, chargeId);
  if (charge === undefined) throw new ChargeNotFound();
  return charge;
}
