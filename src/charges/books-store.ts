import type { Tx } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import { refuseFrozen } from "../ledger/errors.ts";
import type { Charge, ChargeTransaction, DroppedReason } from "./charge.ts";
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

/** Drops charges and tells of it; answers the time that they and their events bear: the given one, or that of what was posted since. */
export async function dropAndTell(
  tx: Tx,
  companyId: string,
  at: Date,
  dropped: readonly Charge[],
  reason: DroppedReason,
): Promise<Date> {
  const [row] = await tx.query<{ at: Date }>(sql`
    select drop_charges(
      ${companyId}, ${dropped.map(({ id }) => id)}::uuid[], ${reason}, ${at},
      ${dropped.map(toChargePayload)}::text[]) as at`);
  return row?.at ?? at;
}
