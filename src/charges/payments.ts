import type { WalletPolicy } from "../customers/customer.ts";
import type { Database } from "../database/database.ts";
import type { Counter } from "../kernel/metrics.ts";

/** What every action on a charge has at hand. */
export interface Payments {
  readonly database: Database;
  readonly policy: WalletPolicy;
  /** In how many parts a charge may be refunded. */
  readonly refundPartsMax: number;
  /** What became of charges and of attempts to pay them. */
  readonly outcomes: Counter;
  /** Called after an event was committed: somebody may want to be told. */
  readonly onEvent: (companyId: string) => void;
}
