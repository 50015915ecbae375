import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import { keepOlderDays } from "./keep-days.ts";
import { type Sealing, sealNextDay } from "./seal-days.ts";
import { selectWaiting } from "./seals-store.ts";
import { extendTotals } from "./totals.ts";

/** What the worker's log calls it. */
export const sealQueue = "seals";

/** Postings that may wait to be summed: readers walk them meanwhile. */
const unsummedMax = 5_000;
/** Days of one company that one turn seals: more are there only when no worker ran for long. */
const daysPerTurn = 10;

export interface BookKeeping extends Sealing {
  readonly logger: Logger;
  /** There is something to tell the company's receivers. */
  readonly onEvent: (companyId: string) => void;
}

/** Companies that have a day to seal or postings to sum. */
export async function waitingCompanies(
  database: Database,
  limit: number,
): Promise<readonly string[]> {
  return selectWaiting(database, unsummedMax, limit);
}

/** Gives a company its turn. Answers 0 when more is left to do, undefined when nothing is. */
export async function sealCompany(
  keeping: BookKeeping,
  companyId: string,
  mayGoOn: () => boolean,
): Promise<number | undefined> {
  const isMore = await extendTotals(keeping.database, companyId);
  if (!isMore) await keepOlderDays(keeping.database, companyId, mayGoOn);
  for (let days = 0; days < daysPerTurn; days += 1) {
    if (!mayGoOn()) return 0;
    const outcome = await sealNextDay(keeping, companyId);
    if (outcome.kind === "broken")
      keeping.logger.error(
        { companyId, ...outcome.link },
        "postings are not what was chained; this company is not sealed: run cauri audit",
      );
    if (outcome.kind !== "sealed") return isMore ? 0 : undefined;
    keeping.onEvent(companyId);
  }
  return 0;
}
