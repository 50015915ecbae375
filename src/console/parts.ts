import type { Desk } from "../approvals/desk.ts";
import type { ChargeLanes } from "../charges/charge-lanes.ts";
import type { PaymentLinks } from "../charges/payment-links.ts";
import type { Payments } from "../charges/payments.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import type { Clock } from "../kernel/clock.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import type { BannerBoard } from "../operations/banner-board.ts";
import type { PageSettings } from "../pages/page-settings.ts";
import type { StatementExports } from "../statements/export/statement-exports.ts";
import type { TransferLanes } from "../transfers/transfer-lanes.ts";
import type { Sender } from "../webhooks/attempt.ts";

/** What the pages of the console have at hand. */
export interface ConsoleParts {
  readonly settings: PageSettings;
  readonly config: Config;
  readonly database: Database;
  /** The database's time. */
  readonly clock: Clock;
  readonly signals: Signals;
  readonly box: SecretBox;
  readonly payments: Payments;
  readonly links: PaymentLinks;
  readonly transferLanes: TransferLanes;
  readonly chargeLanes: ChargeLanes;
  /** Where what people ask for is judged and carried out. */
  readonly desk: Desk;
  /** Files of a company, a few at a time; the API's are among them. */
  readonly exports: StatementExports;
  /** What everybody is told of an incident. */
  readonly board: BannerBoard;
  /** Sends test events, to whoever waits for the answer. */
  readonly sender: Sender;
  /** Tells every node that a webhook is gone, or out of service. */
  readonly tellDeleted: (webhookId: string) => Promise<void>;
  /** Wakes the workers of a queue for a company; may be lost. */
  readonly hint: (queue: string, companyId: string) => void;
}
