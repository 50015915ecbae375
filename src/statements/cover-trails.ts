import type { Database } from "../database/database.ts";
import { dayOf } from "../kernel/days.ts";
import { operator } from "../trail/actor.ts";
import { recordForInstallation } from "../trail/record.ts";
import type { TrailSigner } from "./chain-trails.ts";
import { type CoveredTrail, toCoverFields } from "./cover.ts";
import { selectLastCover } from "./covers-store.ts";
import { extendTrail } from "./extend-trail.ts";
import type { BrokenTrail, TrailResult } from "./follow-trail.ts";
import { firstHead } from "./trail-chain.ts";
import { lockHead } from "./trail-chain-store.ts";

/**
 * Enters once a day, in the trail of the installation, how far the trails of people and of customers are: the seals of that day name
 * the entry or one after it, and so stand for those trails too. Any number of nodes may do it at once.
 */
export async function coverTrails(
  database: Database,
  signer: TrailSigner,
  now: Date,
): Promise<BrokenTrail | undefined> {
  const day = dayOf(now, "UTC");
  const last = await selectLastCover(database);
  if (last !== undefined && last.day >= day) return undefined;
  const extend = (trail: CoveredTrail): Promise<TrailResult> =>
    extendTrail(database, signer, trail, last?.heads[trail] ?? firstHead(trail));
  const staff = await extend("staff");
  if (staff.broken !== undefined) return staff.broken;
  const customers = await extend("customers");
  if (customers.broken !== undefined) return customers.broken;
  await database.transaction(async (tx) => {
    // One at a time: whoever comes second finds the entry.
    await lockHead(tx, "installation", firstHead("installation"));
    const others = await selectLastCover(tx);
    if (others !== undefined && others.day >= day) return;
    await recordForInstallation(tx, operator("seals"), {
      action: "trails.covered",
      subject: day,
      to: toCoverFields({ staff: staff.head, customers: customers.head }),
    });
  });
  return undefined;
}
