import type { Logger } from "pino";
import { expireProposals } from "./approvals/expire-proposals.ts";
import { forgetCheckouts } from "./checkout/forget-checkouts.ts";
import { eachCompany } from "./companies/list-companies.ts";
import { forgetFormerLogos } from "./companies/logos.ts";
import { forgetCodes } from "./customers/forget-codes.ts";
import type { Database } from "./database/database.ts";
import { forgetIdempotencyKeys } from "./idempotency/forget-keys.ts";
import { activities } from "./kernel/activity-board.ts";
import { forgetMessageCounts } from "./messages/forget-counts.ts";
import { forgetDrafts } from "./payrolls/keep-drafts.ts";
import { forgetStrayRequests, keepRequestDays } from "./requests/keep-days.ts";
import { forgetStaffTraces } from "./staff/forget-traces.ts";
import { forgetDeliveries, keepDeliveryMonths } from "./webhooks/forget-deliveries.ts";

/** Soon after the start, so that a service that is often redeployed tidies too; at another moment on each node. */
const firstAfterMs = { least: 60_000, spread: 240_000 } as const;
const everyMs = 3_600_000;

export interface Housekeeping {
  stop(): void;
}

/** When it tidies: tests do not wait. */
export interface HousekeepingTimes {
  readonly firstAfterMs: number;
  readonly everyMs: number;
}

/**
 * Slow, bounded and unhurried: forgets what may be forgotten, whole tables where there is much of it, and makes the tables of the
 * months to come. The next round is counted from the end of the one before, so that there is never more than one.
 */
export function startHousekeeping(
  logger: Logger,
  database: Database,
  times: HousekeepingTimes = {
    firstAfterMs: firstAfterMs.least + Math.random() * firstAfterMs.spread,
    everyMs,
  },
): Housekeeping {
  const tables = async () => {
    if (await forgetIdempotencyKeys(database)) logger.info("a generation of keys was forgotten");
    for (const month of await keepDeliveryMonths(database))
      logger.info({ month }, "a month of deliveries was forgotten");
    for (const day of await keepRequestDays(database))
      logger.info({ day }, "a day of requests was forgotten");
  };
  const rows = async () => {
    for await (const company of eachCompany(database)) {
      while (await forgetDeliveries(database, company.id));
      while (await forgetCheckouts(database, company.id));
      while (await forgetDrafts(database, company.id));
      while (await forgetStrayRequests(database, company.id));
      while (await expireProposals(database, company.id));
      await forgetFormerLogos(database, company.id);
    }
    while (await forgetCodes(database));
    while (await forgetMessageCounts(database));
    while (await forgetStaffTraces(database));
  };
  const label = activities.labelFor("housekeeping");
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const later = (ms: number) => {
    if (isStopped) return;
    timer = setTimeout(() => void round(), ms);
    timer.unref();
  };
  const round = async () => {
    activities.begin(label);
    for (const tidy of [tables, rows])
      await tidy().catch((error: unknown) =>
        logger.warn({ err: error }, "housekeeping failed; it will be tried again"),
      );
    later(times.everyMs);
  };
  later(times.firstAfterMs);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
