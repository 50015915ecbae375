import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import type { Counter, Histogram } from "../kernel/metrics.ts";
import type { Sender } from "./attempt.ts";
import type { PayloadsOf } from "./hold-deliveries.ts";

export interface OutboxOptions extends Sender {
  readonly database: Database;
  readonly logger: Logger;
  readonly nodeId: string;
  readonly payloadsOf: PayloadsOf;
  readonly inFlightPerEndpoint: number;
  /** Called when outcomes are on disk and there is more to do for the company. */
  readonly onMore: (companyId: string) => void;
  /** Deliveries by outcome, and how long their attempts took. */
  readonly outcomes: Counter;
  readonly seconds: Histogram;
}
