import { chargeChecks } from "./charges/audit-charges.ts";
import { walletChecks } from "./customers/audit-wallets.ts";
import { ledgerChecks } from "./ledger/audit.ts";
import { transferChecks } from "./transfers/audit-transfers.ts";

/** Everything the audit looks at, one list for the command line and for tests. */
export const auditChecks = [...ledgerChecks, ...walletChecks, ...transferChecks, ...chargeChecks];
