import { findKeysGoodBetween } from "../companies/credentials.ts";
import type { Queryable } from "../database/database.ts";
import { timeOfUuid } from "../kernel/ids.ts";
import {
  type HeldDecision,
  type HeldRow,
  type HeldScope,
  type HeldSet,
  heldSetMax,
  toHeldSet,
} from "./held.ts";
import {
  countHeldRows,
  selectHeld,
  selectHeldDecisions,
  selectHold,
  selectKeyMakers,
} from "./held-store.ts";

/** What waits for a person, as far as one decision goes; undefined: nothing does. */
export async function findHeld(
  database: Queryable,
  companyId: string,
  scope: HeldScope = { kind: "oldest" },
): Promise<HeldSet | undefined> {
  const rows: readonly HeldRow[] = await selectHeld(database, companyId, scope, heldSetMax + 1);
  return toHeldSet(companyId, rows.slice(0, heldSetMax), rows.length > heldSetMax);
}

const heldShownMax = 100;

/** How many wait for a person; a hundred stands for more. */
export async function countHeld(database: Queryable, companyId: string): Promise<number> {
  return countHeldRows(database, companyId, heldShownMax);
}

/** A node may take a key for good a moment longer than it is. */
const afterTheEndMs = 60_000;

/**
 * Everybody who has made a key by which one of these could have come: one that was good at any moment between the first and the
 * last of them. None of them decides.
 */
export async function findKeyMakers(
  database: Queryable,
  companyId: string,
  { firstId, lastId }: Pick<HeldSet, "firstId" | "lastId">,
): Promise<string[]> {
  const from = new Date(timeOfUuid(firstId) - afterTheEndMs);
  const to = new Date(timeOfUuid(lastId));
  const keys = await findKeysGoodBetween(database, companyId, from, to);
  return keys.length === 0 ? [] : selectKeyMakers(database, companyId, keys);
}

/** What was decided last, the newest first. */
export async function findHeldDecisions(
  database: Queryable,
  companyId: string,
  limit: number,
): Promise<HeldDecision[]> {
  return selectHeldDecisions(database, companyId, limit);
}

/** Whether a transfer waits for a person (decision: null), or what that person said; undefined: it was never held. */
export async function findHold(
  database: Queryable,
  companyId: string,
  transferId: string,
): Promise<{ readonly decision: HeldDecision | null } | undefined> {
  return selectHold(database, companyId, transferId);
}
