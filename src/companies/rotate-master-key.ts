import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Database, Tx } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import { fingerprintOf, type SecretBox, secretBox } from "../kernel/secret-box.ts";
import { operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { keyIdPrefix } from "./credentials.ts";
import { NoOtherMasterKey, RotationUnfinished, WrongMasterKey } from "./errors.ts";
import { eachCompany } from "./list-companies.ts";
import {
  type KeySource,
  keyFileOf,
  type MasterKeys,
  readMasterKeys,
  writeKeyFile,
} from "./master-key.ts";
import { findUnopened, openPurposeKey, opens, openVault, sealPurposeKey } from "./vault.ts";
import {
  lockSecrets,
  lockVault,
  selectPurposeKeys,
  updatePurposeKey,
  updateSecret,
  updateVault,
  type VaultRow,
} from "./vault-store.ts";

export interface Rotation {
  /** By their fingerprints; `from` is the one that nothing is sealed with any more. */
  readonly from: string;
  readonly to: string;
  /** Signing secrets that this call has sealed anew. */
  readonly resealed: number;
  /** Where the old key was put, when keys are in a file. */
  readonly oldKeyFile: string | undefined;
}

/**
 * Changes to another master key while the service runs: from the first step on everything new is sealed with it, then
 * every secret is sealed anew, one company at a time. Stopped anywhere, it goes on where it was when it is called
 * again; until it has ended both keys are needed.
 */
export async function rotateMasterKey(database: Database, source: KeySource): Promise<Rotation> {
  await openVault(database, source);
  const { keys, from, to } = await database.transaction((tx) => changeOver(tx, source));
  const box = secretBox(...keys);
  const target = secretBox(keys[0]);
  let resealed = 0;
  for await (const company of eachCompany(database))
    resealed += await database.transaction((tx) =>
      resealCompany(tx, company.id, box, target, "master-key rotate"),
    );

  const unopened = await findUnopened(database, target);
  if (unopened.secrets > 0)
    throw new WrongMasterKey(box.fingerprints, { master_key: to, retiring_key: from }, unopened);
  const oldKeyFile = await database.transaction((tx) => finish(tx, source, { from, to }));
  return { from, to, resealed, oldKeyFile };
}

interface ChangeOver {
  readonly keys: MasterKeys;
  readonly from: string;
  readonly to: string;
}

/** Decides, alone, which key is changed to, and has everything sealed with that one from here on. */
async function changeOver(tx: Tx, source: KeySource): Promise<ChangeOver> {
  const vault = await lockVault(tx);
  assert(vault !== undefined, "a vault that was opened is there");
  const keys = await nameTarget(source, vault);
  const to = fingerprintOf(keys[0]);
  if (vault.retiring_key !== null) {
    if (to !== vault.master_key) throw new RotationUnfinished(vault.master_key);
    return { keys, from: vault.retiring_key, to };
  }
  const box = secretBox(...keys);
  for (const { purpose, sealed } of await selectPurposeKeys(tx)) {
    const key = openPurposeKey(box, purpose, sealed);
    await updatePurposeKey(tx, purpose, sealPurposeKey(box, purpose, key));
  }
  await updateVault(tx, { master_key: to, retiring_key: vault.master_key });
  return { keys, from: vault.master_key, to };
}

/** The keys at hand with the one to change to first. In a file it is made here, and is on disk before it is used. */
async function nameTarget(source: KeySource, vault: VaultRow): Promise<MasterKeys> {
  const keys = await readMasterKeys(source);
  assert(keys !== undefined, "a vault that was opened has keys");
  const isChanging = fingerprintOf(keys[0]) !== vault.master_key || vault.retiring_key !== null;
  if (isChanging) return keys;
  if (source.masterKeys.length > 0) throw new NoOtherMasterKey();
  const extended: MasterKeys = [randomBytes(32), ...keys];
  await writeKeyFile(keyFileOf(source), extended);
  return extended;
}

/** Seals a company's secrets with the target; returns how many were not yet. */
export async function resealCompany(
  tx: Tx,
  companyId: string,
  box: SecretBox,
  target: SecretBox,
  command: string,
): Promise<number> {
  const secrets = (await lockSecrets(tx, companyId)).filter(
    (secret) => !opens(target, secret) && opens(box, secret),
  );
  for (const { key_id, sealed } of secrets)
    await updateSecret(tx, companyId, key_id, target.seal(box.open(sealed, companyId), companyId));
  for (const { key_id } of secrets)
    await recordForCompany(tx, companyId, operator(command), {
      action: "key.resealed",
      subject: toPublicId(keyIdPrefix, key_id),
      to: { masterKey: target.fingerprints[0] ?? null },
    });
  return secrets.length;
}

/** Nothing is sealed with the old key any more. Its file is put aside, because backups from before still need it. */
async function finish(
  tx: Tx,
  source: KeySource,
  { from, to }: Pick<Rotation, "from" | "to">,
): Promise<string | undefined> {
  const vault = await lockVault(tx);
  // Another call has finished it, and perhaps begun the next change.
  if (vault?.master_key !== to || vault.retiring_key !== from) return undefined;
  await updateVault(tx, { master_key: to, retiring_key: null });
  if (source.masterKeys.length > 0) return undefined;

  const path = keyFileOf(source);
  const keys = (await readMasterKeys(source)) ?? [];
  const isNeeded = (key: Buffer) => fingerprintOf(key) === to;
  await writeKeyFile(
    `${path}.old`,
    keys.filter((key) => !isNeeded(key)),
  );
  await writeKeyFile(path, keys.filter(isNeeded));
  return `${path}.old`;
}
