import type { Database } from "../database/database.ts";
import type { TrailSigner } from "./chain-trails.ts";
import { coverTrails } from "./cover-trails.ts";
import { extendTrail } from "./extend-trail.ts";
import type { BrokenTrail } from "./follow-trail.ts";
import type { SealedTrails } from "./seal.ts";
import { firstHead } from "./trail-chain.ts";

/** How far the trails are that a seal names, or where one of them is not what was sealed before and chained since. */
export async function extendTrails(
  database: Database,
  signer: TrailSigner,
  companyId: string,
  sealed: SealedTrails | undefined,
  now: Date,
): Promise<SealedTrails | { readonly broken: BrokenTrail }> {
  const uncovered = await coverTrails(database, signer, now);
  if (uncovered !== undefined) return { broken: uncovered };
  const trail = { companyId };
  const company = await extendTrail(database, signer, trail, sealed?.company ?? firstHead(trail));
  if (company.broken !== undefined) return company;
  const installation = await extendTrail(
    database,
    signer,
    "installation",
    sealed?.installation ?? firstHead("installation"),
  );
  if (installation.broken !== undefined) return installation;
  return { company: company.head, installation: installation.head };
}
