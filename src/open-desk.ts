import { proposalQueue } from "./approvals/carry-out.ts";
import type { Desk } from "./approvals/desk.ts";
import type { Payments } from "./charges/payments.ts";
import type { Config } from "./config.ts";
import type { WorkHints } from "./queues/work-hints.ts";
import type { RecipientLimit } from "./transfers/accept-within.ts";
import { transferQueue } from "./transfers/settle-transfers.ts";
import { webhookQueue } from "./webhooks/dispatcher.ts";
import type { Shared } from "./workers.ts";

/** What paying, cancelling and reading charges need, for the API, the page and the worker alike. */
export function paymentsOf({ config, database, hints, metrics }: Shared): Payments {
  return {
    database,
    policy: config,
    refundPartsMax: config.quotas.refundsPerChargeMax,
    outcomes: metrics.counter(
      "cauri_charges_total",
      "What became of charges and of attempts to pay them, by outcome.",
    ),
    onEvent: (companyId) => hints.hint(webhookQueue, companyId),
  };
}

/** Where what people ask for is judged and carried out, for the console and the worker alike. */
export function deskOf(
  { config, database, hints }: Pick<Shared, "config" | "database" | "hints">,
  payments: Payments,
): Desk {
  return {
    database,
    payments,
    limit: recipientLimitOf(config),
    onApproved: (companyId) => hints.hint(proposalQueue, companyId),
    onAccepted: acceptedHints(hints),
  };
}

export function recipientLimitOf(config: Config): RecipientLimit {
  return {
    unknownPerDay: config.quotas.unknownRecipientsPerDay,
    known: Object.values(config.testMsisdns ?? {}),
  };
}

/** Tells the workers that transfers of a company wait to be settled and told of. */
export function acceptedHints(hints: WorkHints): (companyId: string) => void {
  return (companyId) => {
    hints.hint(transferQueue, companyId);
    hints.hint(webhookQueue, companyId);
  };
}
