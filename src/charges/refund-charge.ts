import assert from "node:assert/strict";
import { lockPaidFrom, moveInWallet } from "../customers/debit-wallet.ts";
import type { Queryable, Tx } from "../database/database.ts";
import { answerOnce } from "../idempotency/answer-once.ts";
import type { Answer, IdempotencyKey } from "../idempotency/idempotency-key.ts";
import { shareOf } from "../kernel/amount.ts";
import { newUuid } from "../kernel/ids.ts";
import { toDigits } from "../kernel/msisdn.ts";
import type { Actor } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { bookRefund } from "./books-store.ts";
import { asAfter, type Charge, type ChargeTransaction, chargeCan } from "./charge.ts";
import {
  ChargeNotFound,
  ChargeNotRefundable,
  RefundExceedsPaid,
  TooManyRefunds,
} from "./errors.ts";
import type { Payments } from "./payments.ts";
import { chargeOf, insertTransaction, lockCharge, selectCharge, updateCharge } from "./store.ts";
import { walletLineOf } from "./wallet-line.ts";

export interface RefundRequest {
  readonly companyId: string;
  readonly chargeId: string;
  /** Undefined: all that is left. */
  readonly amount: number | undefined;
  /** Why, in the caller's words. */
  readonly reason?: string | undefined;
  readonly by: Actor;
}

/**
 * Gives back what was paid, or a part of it, to the wallet it came from. A refund has no reference of its
 * own: the Idempotency-Key is what makes sending it again safe.
 */
export async function refundCharge(
  payments: Payments,
  request: RefundRequest,
  key: IdempotencyKey | undefined,
  show: (charge: Charge) => object,
): Promise<Answer> {
  const { companyId, chargeId } = request;
  return answerOnce(payments.database, companyId, key, {
    statusCode: 200,
    make: async (tx) => {
      const made = await refundWithin(tx, request, payments.refundPartsMax);
      const id = made.transactions.at(-1)?.id;
      assert(id !== undefined, "a refund is written down");
      return { id, shown: show(made), made };
    },
    onMade: ({ status }) => {
      payments.outcomes.add({ outcome: status });
      payments.onEvent(companyId);
    },
    showAgain: async (tx, id) => show(asAfter(await chargeOf(tx, companyId, chargeId), id)),
  });
}

/** The first answer once more. */
export async function showRefundAgain(
  database: Queryable,
  { companyId, chargeId }: Pick<RefundRequest, "companyId" | "chargeId">,
  id: string,
  show: (charge: Charge) => object,
): Promise<Answer> {
  const charge = await chargeOf(database, companyId, chargeId);
  return { statusCode: 200, body: JSON.stringify(show(asAfter(charge, id))), isReplay: true };
}

/**
 * The same as part of a larger transaction, whose commit decides. The wallet is locked before the charge, as when paying; so
 * who paid is looked up before any lock.
 */
export async function refundWithin(
  tx: Tx,
  request: RefundRequest,
  partsMax: number,
): Promise<Charge> {
  const { companyId, chargeId } = request;
  const found = await selectCharge(tx, companyId, chargeId);
  if (found === undefined) throw new ChargeNotFound();
  amountToRefund(found.charge, request.amount, partsMax);
  const payment = found.charge.transactions.find(isPayment);
  assert(payment !== undefined, `charge ${chargeId} is paid and has no payment`);
  await lockPaidFrom(tx, toDigits(payment.msisdn));
  const locked = await lockCharge(tx, companyId, chargeId);
  assert(locked !== undefined, "charges are never deleted");

  const { charge: before, readAt } = locked;
  const amount = amountToRefund(before, request.amount, partsMax);
  const given: ChargeTransaction = {
    id: newUuid(readAt.getTime()),
    type: "refund",
    msisdn: payment.msisdn,
    amount,
    status: "completed",
    error: null,
    reason: request.reason ?? null,
    createdAt: readAt,
  };
  const refunded = before.refunded + amount;
  const charge: Charge = {
    ...before,
    status: refunded === before.paid ? "refunded" : "refunded_partially",
    refunded,
    updatedAt: readAt,
    transactions: [...before.transactions, given],
  };
  const { feeBack: fee } = effectOfRefund(before, amount);
  await moveInWallet(tx, "charge.refunded", await walletLineOf(tx, charge, given));
  await updateCharge(tx, charge);
  await insertTransaction(tx, charge, given, fee);
  await recordForCompany(tx, companyId, request.by, {
    action: "charge.refunded",
    subject: chargeId,
    from: { refunded: before.refunded },
    to: { refunded, amount, refundId: given.id },
  });
  await bookRefund(tx, charge, given, fee);
  return charge;
}

/**
 * Throws what stands in the way. A charge that was refunded whole has nothing left: naming an amount is
 * then asking for too much, as it was a franc before.
 */
export function amountToRefund(
  charge: Charge,
  asked: number | undefined,
  partsMax: number,
): number {
  const left = charge.paid - charge.refunded;
  const isAskingForMore = charge.status === "refunded" && asked !== undefined;
  if (!chargeCan.refund(charge) && !isAskingForMore) throw new ChargeNotRefundable(charge.status);
  const amount = asked ?? left;
  if (amount > left) throw new RefundExceedsPaid(left);
  refuseTooMany(charge, amount, partsMax);
  return amount;
}

/** What a refund of so much does: the same before it is made as when it is. */
export interface RefundEffect {
  /** Of the fee that was taken from the payment, what comes back with it. */
  readonly feeBack: number;
  /** What the company has less. */
  readonly fromBalance: number;
  /** What can still be refunded afterwards. */
  readonly left: number;
}

export function effectOfRefund(before: Charge, amount: number): RefundEffect {
  const refunded = before.refunded + amount;
  const feeBack = feeGivenBack({ ...before, refunded }) - feeGivenBack(before);
  return { feeBack, fromBalance: amount - feeBack, left: before.paid - refunded };
}

function refuseTooMany(
  { transactions, paid, refunded }: Charge,
  amount: number,
  max: number,
): void {
  const parts = transactions.filter(({ type }) => type === "refund").length;
  const left = paid - refunded;
  if (parts + 1 >= max && amount < left) throw new TooManyRefunds(max, left);
}

/**
 * Of the whole fee, in proportion to all that was refunded so far. A refund gives back the difference to
 * the one before, so any parts that make up the whole give back the whole fee exactly.
 */
function feeGivenBack({ fee, refunded, paid }: Charge): number {
  return shareOf(fee, refunded, paid);
}

function isPayment({ type, status }: ChargeTransaction): boolean {
  return type === "payment" && status === "completed";
}
