import type { Database, Queryable } from "../database/database.ts";
import { selectChanges, updateUnseen } from "./changes-store.ts";
import type { TrailEntry } from "./trail.ts";

const shownMax = 100;

/** What an owner has not acknowledged yet, newest first, a hundred at most. */
export function readChanges(
  database: Queryable,
  companyId: string,
  personId: string,
  unseen: number,
): Promise<TrailEntry[]> {
  return selectChanges(database, companyId, personId, Math.min(unseen, shownMax));
}

/** The owner has looked at so many. */
export function acknowledgeChanges(
  database: Database,
  companyId: string,
  personId: string,
  seen: number,
): Promise<void> {
  return updateUnseen(database, companyId, personId, seen);
}
