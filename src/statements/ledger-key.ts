import { ledgerKeyPurpose } from "../companies/vault.ts";
import type { Database, Queryable } from "../database/database.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { type LedgerKey, ledgerKeyOf, type PublicLedgerKey } from "./seal.ts";
import { insertLedgerKey, selectLedgerKeys } from "./seals-store.ts";

/** The operator's key, from the vault. Its public half is published from the first time that it is opened. */
export async function openLedgerKey(database: Database, box: SecretBox): Promise<LedgerKey> {
  const key = ledgerKeyIn(box);
  await insertLedgerKey(database, key);
  return key;
}

/** The same key, for whoever comes after it was opened. */
export function ledgerKeyIn(box: SecretBox): LedgerKey {
  return ledgerKeyOf(box.deriveKey(ledgerKeyPurpose));
}

/** Every key that ever signed here, newest first. */
export async function listLedgerKeys(
  database: Queryable,
): Promise<readonly (PublicLedgerKey & { readonly createdAt: Date })[]> {
  return selectLedgerKeys(database);
}
