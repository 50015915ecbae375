import { createHash } from "node:crypto";
import type { Database, Queryable, Tx } from "../database/database.ts";
import { spendQuota } from "../quotas/spend-quota.ts";
import type { Logo, LogoState } from "./logo.ts";
import {
  deleteFormerLogos,
  markFormer,
  markLogoWork,
  queueLogo,
  selectLogo,
  selectLogoStates,
} from "./logos-store.ts";
import { lockSubCompanies } from "./store.ts";

/** Logos that no sub-company names any more and that are kept for the histories that show them. */
const formerLogosMax = 10;

/** Our copy of a logo; undefined when it was not fetched yet, or could not be fetched. */
export async function findLogo(
  database: Queryable,
  companyId: string,
  logoUrl: string,
): Promise<Logo | undefined> {
  return selectLogo(database, companyId, hashOfUrl(logoUrl));
}

/** What has become of these logos, by URL. */
export async function findLogoStates(
  database: Queryable,
  companyId: string,
  logoUrls: readonly string[],
): Promise<Map<string, LogoState>> {
  return selectLogoStates(database, companyId, [...new Set(logoUrls)].map(hashOfUrl));
}

/**
 * Has a logo fetched by a worker, in the transaction that names its URL. One that is there or on its way is
 * left alone. One that was given up is tried anew: whoever sends its URL again has probably mended it.
 */
export async function requestLogo(
  tx: Tx,
  companyId: string,
  logoUrl: string,
  perDay: number,
): Promise<void> {
  const isQueued = await queueLogo(tx, companyId, hashOfUrl(logoUrl), logoUrl);
  if (!isQueued) return;
  await spendQuota(tx, companyId, { name: "logos", max: perDay });
  await markLogoWork(tx, companyId);
}

/**
 * A sub-company names this logo no more. If no other does, it is kept with the newest few of its like, for the histories
 * that show it. The caller holds `lockSubCompanies`, so that nobody begins to name it meanwhile.
 */
export async function leaveLogo(tx: Tx, companyId: string, logoUrl: string): Promise<void> {
  await markFormer(tx, companyId, hashOfUrl(logoUrl), logoUrl);
  await deleteFormerLogos(tx, companyId, formerLogosMax);
}

/** For housekeeping: deletes what was left before logos were deleted as soon as they are left. */
export async function forgetFormerLogos(database: Database, companyId: string): Promise<void> {
  await database.transaction(async (tx) => {
    await lockSubCompanies(tx, companyId);
    await deleteFormerLogos(tx, companyId, formerLogosMax);
  });
}

function hashOfUrl(url: string): Buffer {
  return createHash("sha256").update(url).digest();
}
