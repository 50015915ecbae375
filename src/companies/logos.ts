import { createHash } from "node:crypto";
import type { Queryable, Tx } from "../database/database.ts";
import type { Logo } from "./logo.ts";
import { markLogoWork, queueLogo, selectLogo } from "./logos-store.ts";

/** Our copy of a logo; undefined when it was not fetched yet, or could not be fetched. */
export async function findLogo(
  database: Queryable,
  companyId: string,
  logoUrl: string,
): Promise<Logo | undefined> {
  return selectLogo(database, companyId, hashOfUrl(logoUrl));
}

/**
 * Has a logo fetched by a worker, in the transaction that names its URL. One that is there or on its way is
 * left alone. One that was given up is tried anew: whoever sends its URL again has probably mended it.
 */
export async function requestLogo(tx: Tx, companyId: string, logoUrl: string): Promise<void> {
  const isQueued = await queueLogo(tx, companyId, hashOfUrl(logoUrl), logoUrl);
  if (isQueued) await markLogoWork(tx, companyId);
}

function hashOfUrl(url: string): Buffer {
  return createHash("sha256").update(url).digest();
}
