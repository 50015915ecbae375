import { approvalChecks } from "./approvals/audit-approvals.ts";
import { heldChecks } from "./approvals/audit-held.ts";
import { chargeChecks } from "./charges/audit-charges.ts";
import { priceChecks } from "./companies/audit-prices.ts";
import { walletChecks } from "./customers/audit-wallets.ts";
import { ledgerChecks } from "./ledger/audit-postings.ts";
import { statementChecks } from "./statements/audit-chain.ts";
import { trailChecks } from "./trail/audit-trail.ts";
import { transferChecks } from "./transfers/audit-transfers.ts";
import { eventChecks } from "./webhooks/audit-events.ts";

/** Everything the audit looks at, one list for the command line and for tests. */
export const auditChecks = [
  ...ledgerChecks,
  ...walletChecks,
  ...transferChecks,
  ...chargeChecks,
  ...priceChecks,
  ...eventChecks,
  ...statementChecks,
  ...trailChecks,
  ...approvalChecks,
  ...heldChecks,
];
