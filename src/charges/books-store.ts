import type { Tx } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import { refuseFrozen } from "../ledger/errors.ts";
import type { Charge, ChargeTransaction } from "./charge.ts";
import { toChargePayload } from "./charge-resource.ts";
import { RefundNotCovered } from "./errors.ts";

/**
 * The company's side of a payment: postings and the event. The last statement of its transaction. Throws CompanyFrozen.
 */
export async function bookPayment(
  tx: Tx,
  charge: Charge,
  payment: ChargeTransaction,
  fee: number,
): Promise<void> {
  await tx
    .query(sql`
    select book_payment(
      ${charge.companyId}, ${charge.id}, ${payment.id}, ${payment.amount}, ${fee}, ${toChargePayload(charge)},
      ${payment.createdAt})`)
    .catch(refuseFrozen);
}

/** The same for a refund. Throws RefundNotCovered, too, when the company has not enough left. */
export async function bookRefund(
  tx: Tx,
  charge: Charge,
  refund: ChargeTransaction,
  fee: number,
): Promise<void> {
  try {
    await tx.query(sql`
      select book_refund(
        ${charge.companyId}, ${charge.id}, ${refund.id}, ${refund.amount}, ${fee}, ${toChargePayload(charge)},
        ${refund.createdAt})`);
  } catch (error) {
    if (sqlState(error) === "CA402") throw new RefundNotCovered({ cause: error });
    refuseFrozen(error);
  }
}

/** Tells of charges whose status changed without money moving. */
export async function publishCharges(
  tx: Tx,
  companyId: string,
  charges: readonly Charge[],
): Promise<void> {
  await tx.query(sql`
    select publish_events(
      ${companyId}, 'charge/events',
      ${charges.map(({ id }) => id)}::uuid[],
      ${charges.map(toChargePayload)}::text[])`);
}
