import type { Database } from "../database/database.ts";
import { insist } from "../database/insist.ts";
import { turnKeys } from "./store.ts";

const keptDays = 30;

/**
 * Forgets the keys of the generation before, all at once, when the last of them is 30 days old. So a key is kept for 30
 * days at least and for 60 at most.
 */
export async function forgetIdempotencyKeys(database: Database): Promise<boolean> {
  return insist((waitMs) => turnKeys(database, keptDays, waitMs));
}
