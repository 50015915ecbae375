import { memberChecks } from "./access/audit-members.ts";
import { requestChecks } from "./access/audit-requests.ts";
import { approvalChecks } from "./approvals/audit-approvals.ts";
import { decisionChecks } from "./approvals/audit-decisions.ts";
import { heldChecks } from "./approvals/audit-held.ts";
import { preparerChecks } from "./approvals/audit-preparers.ts";
import { boundChecks } from "./charges/audit-bound.ts";
import { chargeChecks } from "./charges/audit-charges.ts";
import { companyChecks } from "./companies/audit-companies.ts";
import { keyChecks } from "./companies/audit-keys.ts";
import { priceChecks } from "./companies/audit-prices.ts";
import { customerChecks } from "./customers/audit-customers.ts";
import { walletChecks } from "./customers/audit-wallets.ts";
import { ledgerChecks } from "./ledger/audit-postings.ts";
import { credentialChecks } from "./staff/audit-credentials.ts";
import { trailTimeChecks } from "./statements/audit-backdating.ts";
import { statementChecks } from "./statements/audit-chain.ts";
import { dayChecks } from "./statements/audit-days.ts";
import { trailChainChecks } from "./statements/audit-trails.ts";
import { trailChecks } from "./trail/audit-trail.ts";
import { transferChecks } from "./transfers/audit-transfers.ts";
import { eventChecks } from "./webhooks/audit-events.ts";
import { eventTimeChecks } from "./webhooks/audit-times.ts";
import { webhookChecks } from "./webhooks/audit-webhooks.ts";

/** Everything the audit looks at, one list for the command line and for tests. */
export const auditChecks = [
  ...ledgerChecks,
  ...walletChecks,
  ...transferChecks,
  ...chargeChecks,
  ...boundChecks,
  ...priceChecks,
  ...eventChecks,
  ...statementChecks,
  ...trailChecks,
  ...trailChainChecks,
  ...trailTimeChecks,
  ...approvalChecks,
  ...heldChecks,
  ...decisionChecks,
  ...preparerChecks,
  ...keyChecks,
  ...memberChecks,
  ...requestChecks,
  ...credentialChecks,
  ...companyChecks,
  ...customerChecks,
  ...webhookChecks,
  ...eventTimeChecks,
  ...dayChecks,
];
