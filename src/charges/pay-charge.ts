import assert from "node:assert/strict";
import { findDebitRefusal, lockPayer, moveInWallet } from "../customers/debit-wallet.ts";
import type { Tx } from "../database/database.ts";
import { answerOnce } from "../idempotency/answer-once.ts";
import type { Answer, IdempotencyKey } from "../idempotency/idempotency-key.ts";
import { newUuid } from "../kernel/ids.ts";
import { toDigits } from "../kernel/msisdn.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import { isFrozen } from "../ledger/freeze.ts";
import { bookPayment } from "./books-store.ts";
import {
  asAfter,
  type Charge,
  type ChargeTransaction,
  chargeCan,
  type PaymentError,
} from "./charge.ts";
import { dropOverdue } from "./drop-charges.ts";
import { ChargeNotFound, ChargeNotPayable } from "./errors.ts";
import type { Payments } from "./payments.ts";
import { chargeOf, insertTransaction, lockCharge, type ReadCharge, updateCharge } from "./store.ts";
import { walletLineOf } from "./wallet-line.ts";

export interface PaymentRequest {
  readonly companyId: string;
  readonly chargeId: string;
  /** As the payer wrote it. */
  readonly msisdn: string;
}

export interface PaymentResult {
  readonly charge: Charge;
  /** Null: paid. Otherwise the attempt was written down and the charge is still due. */
  readonly error: PaymentError | null;
}

/**
 * Pays a charge from the payer's wallet. `beforePaying` runs inside the same transaction, once it is sure
 * that the charge can be paid; when it throws, nothing has happened. Throws ChargeNotFound, ChargeNotPayable,
 * and OutcomeUnknown when the answer to the commit was lost.
 */
export async function payCharge(
  payments: Payments,
  request: PaymentRequest,
  beforePaying?: (tx: Tx) => Promise<void>,
): Promise<PaymentResult> {
  const result = await droppingOverdue(payments, request, () =>
    payments.database.transactionOf(request.companyId, (tx) =>
      attempt(tx, payments, request, beforePaying),
    ),
  );
  tell(payments, result);
  return result;
}

/** The same for the API, where a repeated Idempotency-Key answers the first answer again. */
export async function payChargeOnce(
  payments: Payments,
  request: PaymentRequest,
  key: IdempotencyKey | undefined,
  show: (charge: Charge) => object,
): Promise<Answer> {
  const { companyId, chargeId } = request;
  return droppingOverdue(payments, request, () =>
    answerOnce(payments.database, companyId, key, {
      statusCode: 200,
      make: async (tx) => {
        const made = await attempt(tx, payments, request);
        return { id: lastOf(made.charge).id, shown: show(made.charge), made };
      },
      onMade: (made) => tell(payments, made),
      showAgain: async (tx, id) => show(asAfter(await chargeOf(tx, companyId, chargeId), id)),
    }),
  );
}

/** Locks in the order of everybody who moves money: the wallet, the charge, the company's books. */
async function attempt(
  tx: Tx,
  { policy }: Payments,
  request: PaymentRequest,
  beforePaying?: (tx: Tx) => Promise<void>,
): Promise<PaymentResult> {
  const payer = await lockPayer(tx, policy, toDigits(request.msisdn));
  const locked = await lockCharge(tx, request.companyId, request.chargeId);
  if (locked === undefined) throw new ChargeNotFound();
  if (!chargeCan.pay(locked.charge)) throw new ChargeNotPayable(locked.charge.status);
  if (locked.isOverdue) throw new ChargeNotPayable("dropped");
  await beforePaying?.(tx);

  const error = findDebitRefusal(policy, payer, locked.charge.amount) ?? null;
  const payment: ChargeTransaction = {
    id: newUuid(locked.readAt.getTime()),
    type: "payment",
    msisdn: request.msisdn,
    amount: locked.charge.amount,
    status: error === null ? "completed" : "failed",
    error,
    reason: null,
    createdAt: locked.readAt,
  };
  const charge = error === null ? await pay(tx, locked, payment) : await fail(tx, locked, payment);
  return { charge, error };
}

async function pay(tx: Tx, locked: ReadCharge, payment: ChargeTransaction): Promise<Charge> {
  const charge: Charge = { ...attempted(locked, payment), status: "paid", paid: payment.amount };
  await moveInWallet(tx, "charge.paid", await walletLineOf(tx, charge, payment));
  await updateCharge(tx, charge);
  await insertTransaction(tx, charge, payment, charge.fee);
  await bookPayment(tx, charge, payment, charge.fee);
  return charge;
}

/** The charge stays due, so nobody is told. The books, which refuse what a frozen company is paid, are not written here: they are asked. */
async function fail(tx: Tx, locked: ReadCharge, payment: ChargeTransaction): Promise<Charge> {
  if (await isFrozen(tx, locked.charge.companyId)) throw new CompanyFrozen();
  const charge = attempted(locked, payment);
  await updateCharge(tx, charge);
  await insertTransaction(tx, charge, payment, 0);
  return charge;
}

function attempted({ charge, readAt }: ReadCharge, payment: ChargeTransaction): Charge {
  return {
    ...charge,
    attempts: charge.attempts + 1,
    updatedAt: readAt,
    transactions: [...charge.transactions, payment],
  };
}

/** The payment that was attempted last. */
function lastOf({ transactions }: Charge): ChargeTransaction {
  const last = transactions.at(-1);
  assert(last !== undefined, "an attempt is written down");
  return last;
}

/** A refusal rolls back everything, so a drop that is due is written on its own. */
async function droppingOverdue<Result>(
  payments: Payments,
  { companyId, chargeId }: PaymentRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChargeNotPayable) await dropOverdue(payments, companyId, [chargeId]);
    throw error;
  }
}

function tell(payments: Payments, { charge, error }: PaymentResult): void {
  payments.outcomes.add({ outcome: error ?? "paid" });
  if (error === null) payments.onEvent(charge.companyId);
}
