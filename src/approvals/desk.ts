import type { Payments } from "../charges/payments.ts";
import type { Database } from "../database/database.ts";
import type { RecipientLimit } from "../transfers/accept-within.ts";

/** Where what people ask for is judged and carried out. */
export interface Desk {
  readonly database: Database;
  readonly payments: Payments;
  readonly limit: RecipientLimit;
  /** There is something to carry out for this company. */
  readonly onApproved: (companyId: string) => void;
  /** Transfers of this company wait to be settled. */
  readonly onAccepted: (companyId: string) => void;
}
