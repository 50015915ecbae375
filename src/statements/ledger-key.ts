import { MasterKeyMissing, WrongMasterKey } from "../companies/errors.ts";
import { ledgerKeyPurpose, lockPurposeKeys } from "../companies/vault.ts";
import type { Database, Queryable, Tx } from "../database/database.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { operator } from "../trail/actor.ts";
import { recordForInstallation } from "../trail/record.ts";
import { ForgedLedgerKey, LedgerKeyNotFound } from "./errors.ts";
import {
  bindingText,
  isNamedRight,
  type JudgedKeys,
  judgeKeys,
  type KeptKey,
} from "./key-bindings.ts";
import { insertLedgerKey, selectLedgerKeys, upsertBinding } from "./keys-store.ts";
import { type LedgerKey, ledgerKeyOf, type PublicLedgerKey } from "./seal.ts";

/** The operator's key, from the vault. It is bound and its public half published from the first time that it is opened. */
export async function openLedgerKey(database: Database, box: SecretBox): Promise<LedgerKey> {
  const key = ledgerKeyIn(box);
  const known = (await selectLedgerKeys(database)).find(({ id }) => id === key.id);
  if (known?.binding === undefined) await database.transaction((tx) => keepKey(tx, key));
  return key;
}

/** The same key, for whoever comes after it was opened. */
export function ledgerKeyIn(box: SecretBox): LedgerKey {
  return ledgerKeyOf(box.deriveKey(ledgerKeyPurpose));
}

/** The same key, where there is one already. Undefined when the master key at hand does not open it. */
export async function findLedgerKey(
  database: Database,
  openBox: () => Promise<SecretBox>,
): Promise<LedgerKey | undefined> {
  if ((await selectLedgerKeys(database)).length === 0) return undefined;
  try {
    return ledgerKeyIn(await openBox());
  } catch (error) {
    if (error instanceof MasterKeyMissing || error instanceof WrongMasterKey) return undefined;
    throw error;
  }
}

/** The operator's keys, and what else is there. */
export async function readLedgerKeys(database: Queryable, own: LedgerKey): Promise<JudgedKeys> {
  return judgeKeys(await selectLedgerKeys(database), own);
}

/** Every key of the operator that ever signed here, newest first. */
export async function listLedgerKeys(
  database: Queryable,
  own: LedgerKey,
): Promise<readonly (PublicLedgerKey & { readonly createdAt: Date })[]> {
  return (await readLedgerKeys(database, own)).bound.toReversed();
}

/**
 * Says that keys which the one that signs is not bound to are the operator's: those from before a master key was lost, or from before
 * keys were bound. Nothing in the database can say it, so a person does, who has compared them with what was kept outside.
 */
export async function bindLedgerKeys(
  database: Database,
  own: LedgerKey,
  ids: readonly string[],
): Promise<readonly string[]> {
  return database.transaction(async (tx) => {
    await lockPurposeKeys(tx);
    const keys = await selectLedgerKeys(tx);
    for (const id of ids) {
      const key = keys.find((one) => one.id === id);
      if (key === undefined) throw new LedgerKeyNotFound(id);
      if (!isNamedRight(key)) throw new ForgedLedgerKey(id);
    }
    const { bound } = judgeKeys(keys, own);
    const chain = keys.filter((key) => bound.includes(key) || ids.includes(key.id));
    const added = chain.filter((key) => !bound.includes(key));
    await bindInTurn(tx, own, chain);
    for (const { id, publicKey } of added)
      await recordForInstallation(tx, operator("ledger-key bind"), {
        action: "ledger_key.bound",
        subject: id,
        to: { publicKey, boundTo: own.id },
      });
    return added.map(({ id }) => id);
  });
}

/** Once, whoever else opens the vault for the first time. */
async function keepKey(tx: Tx, own: LedgerKey): Promise<void> {
  await lockPurposeKeys(tx);
  const isNew = await insertLedgerKey(tx, own);
  const keys = await selectLedgerKeys(tx);
  const key = keys.find(({ id }) => id === own.id);
  if (key === undefined || key.binding !== undefined || key.publicKey !== own.publicKey) return;
  const { bound } = judgeKeys(keys, own);
  await bindInTurn(tx, own, bound.slice(0, bound.indexOf(key) + 1));
  await recordForInstallation(tx, operator("first use"), {
    action: isNew ? "ledger_key.created" : "ledger_key.bound",
    subject: own.id,
    to: { publicKey: own.publicKey },
  });
}

/** Each to the one before. */
async function bindInTurn(tx: Tx, own: LedgerKey, chain: readonly KeptKey[]): Promise<void> {
  for (const [index, key] of chain.entries()) {
    const predecessor = chain[index - 1]?.id ?? null;
    await upsertBinding(tx, key.id, predecessor, own.mac(bindingText(key, predecessor)));
  }
}
