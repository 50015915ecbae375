import type { Database } from "../database/database.ts";
import { chainEntries, type TrailSigner } from "./chain-trails.ts";
import { brokenAt, followTrail, type TrailResult } from "./follow-trail.ts";
import type { TrailHead, TrailName } from "./trail-chain.ts";

/**
 * Chains what is new in a trail, for its last entry to be sealed, and computes the chain again from the one that was sealed before. The
 * entries decide how far it is: what is kept of that elsewhere can be changed alone.
 */
export async function extendTrail(
  database: Database,
  signer: TrailSigner,
  trail: TrailName,
  sealed: TrailHead,
): Promise<TrailResult> {
  const signed = await chainEntries(database, signer, trail);
  const result = await followTrail(database, trail, sealed);
  // Others may have chained more meanwhile, but nobody less.
  if (result.broken === undefined && result.head.number < signed.number)
    return brokenAt(trail, result.head.number + 1, "an entry", "nothing");
  return result;
}
