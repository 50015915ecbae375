import type { Logger } from "pino";
import { forgetCheckouts } from "./checkout/forget-checkouts.ts";
import { eachCompany } from "./companies/list-companies.ts";
import { forgetFormerLogos } from "./companies/logos.ts";
import { forgetCodes } from "./customers/forget-codes.ts";
import type { Database } from "./database/database.ts";
import { forgetIdempotencyKeys } from "./idempotency/forget-keys.ts";
import { forgetMessageCounts } from "./messages/forget-counts.ts";
import { forgetDrafts } from "./payrolls/keep-drafts.ts";
import { keepRequestDays } from "./requests/keep-days.ts";
import { forgetStaffTraces } from "./staff/forget-traces.ts";
import { forgetDeliveries, keepDeliveryMonths } from "./webhooks/forget-deliveries.ts";

const housekeepingEveryMs = 3_600_000;

/** Slow, bounded and unhurried: forgets what may be forgotten, whole tables where there is much of it. */
export function startHousekeeping(logger: Logger, database: Database): NodeJS.Timeout {
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
      await forgetFormerLogos(database, company.id);
    }
    while (await forgetCodes(database));
    while (await forgetMessageCounts(database));
    while (await forgetStaffTraces(database));
  };
  const timer = setInterval(() => {
    for (const tidy of [tables, rows])
      tidy().catch((error: unknown) =>
        logger.warn({ err: error }, "housekeeping failed; it will be tried again"),
      );
  }, housekeepingEveryMs);
  timer.unref();
  return timer;
}
