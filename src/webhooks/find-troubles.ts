import type { Queryable } from "../database/database.ts";
import { selectTroubles, type Trouble } from "./trouble-store.ts";

export type { Trouble } from "./trouble-store.ts";

/** One failure is a receiver that was restarted; so many in a row are somebody's to look at. */
const failuresMin = 3;

/** The webhooks of a company that somebody has to look at. */
export async function findTroubles(database: Queryable, companyId: string): Promise<Trouble[]> {
  return selectTroubles(database, companyId, failuresMin);
}
