import type { Database } from "../database/database.ts";
import { updateExpired } from "./store.ts";

const expiredAtOnce = 500;

/**
 * Writes down that what nobody has decided about in time has lapsed; true when there may be more. Nothing depends on when that is done:
 * whoever reads one whose time is over sees it as lapsed already.
 */
export async function expireProposals(database: Database, companyId: string): Promise<boolean> {
  return (await updateExpired(database, companyId, expiredAtOnce)) === expiredAtOnce;
}
