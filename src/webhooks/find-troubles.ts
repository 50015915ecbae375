import type { Database, Queryable } from "../database/database.ts";
import {
  type FailingWebhook,
  selectFailing,
  selectTroubles,
  type Trouble,
} from "./trouble-store.ts";

export type { FailingWebhook, Trouble } from "./trouble-store.ts";

/** One failure is a receiver that was restarted; so many in a row are somebody's to look at. */
const failuresMin = 3;

/** The webhooks of a company that somebody has to look at. */
export async function findTroubles(database: Queryable, companyId: string): Promise<Trouble[]> {
  return selectTroubles(database, companyId, failuresMin);
}

/** A page of those of all companies, for the operator. */
export async function findFailing(database: Database, limit: number): Promise<FailingWebhook[]> {
  return selectFailing(database, failuresMin, limit);
}
