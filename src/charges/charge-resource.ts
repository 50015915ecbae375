import { toPublicId } from "../kernel/ids.ts";
import { toPayload } from "../webhooks/event.ts";
import {
  type Charge,
  type ChargeStatus,
  type ChargeTransaction,
  canceledUrlOf,
  completedUrlOf,
  dueOf,
  paidAtOf,
  serviceReferenceOf,
} from "./charge.ts";
import type { PaymentLinks } from "./payment-links.ts";

const currency = "XOF";
/** The API's name for what payers pay with. */
const service = "wallet";
const ppm = 1_000_000;

/** A charge as the API shows it. The answer to its creation says `created`, every other one its status. */
export function toChargeResource(
  links: PaymentLinks,
  charge: Charge,
  status: ChargeStatus | "created" = charge.status,
) {
  return {
    id: charge.id,
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
    expiresAt: charge.expiresAt.toISOString(),
    paidAt: paidAtOf(charge)?.toISOString() ?? null,
    externalId: charge.externalId,
    description: charge.description,
    currency,
    amount: charge.amount,
    due: dueOf(charge),
    fees: { currency, rate: charge.feeRatePpm / ppm, value: charge.fee },
    status,
    droppedReason: charge.droppedReason,
    paid: charge.paid,
    refunded: charge.refunded,
    attempts: charge.attempts,
    metadata: metadataOf(charge),
    paymentUrl: links.urlOf(charge.companyId, charge.id),
    transactions: charge.transactions.map(toTransactionResource),
    ...(charge.subCompanyId === null
      ? {}
      : { subCompanyId: toPublicId("subco", charge.subCompanyId) }),
  };
}

/** The answer to a simulated payment also says where the payer's browser would go now. */
export function toPaidResource(links: PaymentLinks, charge: Charge) {
  const shown = toChargeResource(links, charge);
  return { ...shown, webRedirectionUrl: webRedirectionUrlOf(charge, shown.paymentUrl) };
}

/** After an attempt that failed the payer is still on the page, and may try again. */
function webRedirectionUrlOf(charge: Charge, paymentUrl: string): string {
  if (charge.status === "due") return paymentUrl;
  return charge.status === "dropped" ? canceledUrlOf(charge) : completedUrlOf(charge);
}

/** The notification for the state a charge has just reached: exactly the fields the interface lists. */
export function toChargePayload(charge: Charge): string {
  return toPayload("charge/events", {
    id: charge.id,
    externalId: charge.externalId,
    description: charge.description,
    currency,
    amount: charge.amount,
    due: dueOf(charge),
    status: charge.status,
    droppedReason: charge.droppedReason,
    paid: charge.paid,
    refunded: charge.refunded,
    attempts: charge.attempts,
    metadata: metadataOf(charge),
  });
}

function toTransactionResource(transaction: ChargeTransaction) {
  return {
    id: transaction.id,
    createdAt: transaction.createdAt.toISOString(),
    recipientMsisdn: transaction.msisdn,
    providerTransactionReference: serviceReferenceOf(transaction),
    amount: transaction.amount,
    service,
    status: transaction.status,
    type: transaction.type,
    error: transaction.error,
    ...(transaction.reason === null ? {} : { reason: transaction.reason }),
  };
}

function metadataOf({ metadata }: Charge): object {
  return metadata === null ? {} : (JSON.parse(metadata) as object);
}
