import { toServiceReference } from "../kernel/service-reference.ts";

export const chargeStatuses = ["due", "paid", "dropped", "refunded_partially", "refunded"] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

export const droppedReasons = ["EXPIRED", "CANCELED"] as const;
export type DroppedReason = (typeof droppedReasons)[number];

/** Why an attempt to pay failed. */
export const paymentErrors = [
  "INSUFFICIENT_FUNDS",
  "ACCOUNT_NOT_FOUND",
  "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT",
  "DECLINED",
  "INTERNAL_ERROR",
] as const;
export type PaymentError = (typeof paymentErrors)[number];

/** Money into a charge (payment) or out of it again (refund). */
export interface ChargeTransaction {
  readonly id: string;
  readonly type: "payment" | "refund";
  /** The payer, as written when paying. */
  readonly msisdn: string;
  readonly amount: number;
  readonly status: "completed" | "failed";
  readonly error: PaymentError | null;
  /** Why it was given back, in the words of whoever did it; null: nobody said, and for payments. */
  readonly reason: string | null;
  readonly createdAt: Date;
}

/** A request to be paid. */
export interface Charge {
  readonly id: string;
  readonly companyId: string;
  readonly externalId: string;
  readonly description: string;
  readonly amount: number;
  readonly fee: number;
  readonly feeRatePpm: number;
  readonly status: ChargeStatus;
  /** Null unless dropped. */
  readonly droppedReason: DroppedReason | null;
  readonly paid: number;
  readonly refunded: number;
  readonly attempts: number;
  /** JSON text, so that what was given comes back as it was given. */
  readonly metadata: string | null;
  readonly subCompanyId: string | null;
  readonly onCanceledRedirectionUrl: string;
  readonly onCompletedRedirectionUrl: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  /** In the order they happened. */
  readonly transactions: readonly ChargeTransaction[];
}

/** One that is not in the books yet: its id and its times are for the database to say. */
export type NewCharge = Pick<
  Charge,
  | "externalId"
  | "description"
  | "amount"
  | "fee"
  | "feeRatePpm"
  | "metadata"
  | "subCompanyId"
  | "onCanceledRedirectionUrl"
  | "onCompletedRedirectionUrl"
>;

/** A charge as it was when it was created, whatever has become of it since. */
export function asCreated(
  charge: NewCharge & Pick<Charge, "id" | "companyId" | "createdAt" | "expiresAt">,
): Charge {
  return {
    ...charge,
    updatedAt: charge.createdAt,
    status: "due",
    droppedReason: null,
    paid: 0,
    refunded: 0,
    attempts: 0,
    transactions: [],
  };
}

/** A charge as it was right after one of its payments or refunds: a function of those up to it. */
export function asAfter(charge: Charge, transactionId: string): Charge {
  const last = charge.transactions.findIndex(({ id }) => id === transactionId);
  const transactions = charge.transactions.slice(0, last + 1);
  const payments = transactions.filter(({ type }) => type === "payment");
  const paid = sumOf(payments.filter(({ status }) => status === "completed"));
  const refunded = sumOf(transactions.filter(({ type }) => type === "refund"));
  return {
    ...charge,
    status: statusAfter(paid, refunded),
    droppedReason: null,
    paid,
    refunded,
    attempts: payments.length,
    updatedAt: transactions.at(-1)?.createdAt ?? charge.createdAt,
    transactions,
  };
}

/** When it was paid; null while it is not. */
export function paidAtOf({ transactions }: Pick<Charge, "transactions">): Date | null {
  const payment = transactions.find(
    ({ type, status }) => type === "payment" && status === "completed",
  );
  return payment?.createdAt ?? null;
}

function statusAfter(paid: number, refunded: number): ChargeStatus {
  if (paid === 0) return "due";
  if (refunded === 0) return "paid";
  return refunded < paid ? "refunded_partially" : "refunded";
}

function sumOf(transactions: readonly ChargeTransaction[]): number {
  return transactions.reduce((sum, { amount }) => sum + amount, 0);
}

const allowedFrom = {
  pay: ["due"],
  cancel: ["due"],
  expire: ["due"],
  refund: ["paid", "refunded_partially"],
} as const satisfies Record<string, readonly ChargeStatus[]>;

type WithStatus = Pick<Charge, "status">;

function from(statuses: readonly ChargeStatus[]): (charge: WithStatus) => boolean {
  return ({ status }) => statuses.includes(status);
}

/** The one table of what may happen to a charge, for the API and for the page. */
export const chargeCan = {
  pay: from(allowedFrom.pay),
  cancel: from(allowedFrom.cancel),
  expire: from(allowedFrom.expire),
  refund: from(allowedFrom.refund),
} as const;

/** What is still to be paid. */
export function dueOf(charge: Pick<Charge, "amount" | "paid">): number {
  return charge.amount - charge.paid;
}

/** The reference the payer sees, on the receipt and in the wallet's history. */
export function serviceReferenceOf(transaction: Pick<ChargeTransaction, "id">): string {
  return toServiceReference(transaction.id);
}

/** Where the payer goes after paying: the company's own address, told which charge it was. */
export function completedUrlOf(charge: Charge): string {
  return withCharge(charge.onCompletedRedirectionUrl, charge);
}

/** Where the payer goes without having paid. */
export function canceledUrlOf(charge: Charge): string {
  return withCharge(charge.onCanceledRedirectionUrl, charge);
}

/**
 * Added as text: a query that was written anew could lose a signature the company put on it. Only a chargeId or an
 * externalId that is there already gives way to ours.
 */
function withCharge(url: string, { id, externalId }: Charge): string {
  const [, address = "", query = "", fragment = ""] =
    /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const parts = query === "" ? [] : query.replace(/&$/, "").split("&");
  const kept = parts.filter((part) => !isOurs(part));
  const own = [`chargeId=${id}`, `externalId=${encodeURIComponent(externalId)}`];
  return `${address}?${[...kept, ...own].join("&")}${fragment}`;
}

/** Whether a part of a query is one that this service adds, however it is encoded. */
function isOurs(part: string): boolean {
  // Behind an ampersand, because a question mark at the start would be passed over.
  const [name] = new URLSearchParams(`&${part}`).keys();
  return name === "chargeId" || name === "externalId";
}
