import type { Database, Tx } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import { toPublicId } from "../kernel/ids.ts";
import { fingerprintOf, type SecretBox, secretBox } from "../kernel/secret-box.ts";
import { operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { accessTokenChannel, keyIdPrefix } from "./credentials.ts";
import { NothingLost } from "./errors.ts";
import { eachCompany } from "./list-companies.ts";
import { type KeySource, type MasterKeys, readOrMakeMasterKeys } from "./master-key.ts";
import { resealCompany } from "./rotate-master-key.ts";
import { openPurposeKey, opens, sealPurposeKey } from "./vault.ts";
import {
  insertVault,
  lockSecrets,
  lockVault,
  selectPurposeKeys,
  updatePurposeKey,
  updateSecret,
  updateVault,
} from "./vault-store.ts";

/** A signing secret in the place of one that nobody can open any more. The access token beside it goes on working. */
export interface ReplacedSecret {
  readonly companyId: string;
  readonly companyName: string;
  readonly keyId: string;
  readonly secretKey: string;
}

/**
 * When a master key is lost: every live secret that cannot be opened is replaced, under the first of the keys at hand
 * (without one, a file is made). The new secrets come from that key, so that a call that was stopped, or whose output
 * was lost, is simply made again and tells the same ones.
 */
export async function replaceLostSecrets(
  database: Database,
  signals: Signals,
  source: KeySource,
): Promise<readonly ReplacedSecret[]> {
  const keys = await readOrMakeMasterKeys(source);
  const box = secretBox(...keys);
  const target = secretBox(await database.transaction((tx) => changeOver(tx, keys)));
  const replaced: ReplacedSecret[] = [];
  for await (const { id, name } of eachCompany(database)) {
    const secrets = await database.transaction(async (tx) => {
      await resealCompany(tx, id, box, target, "master-key replace");
      await signals.sendAtCommit(tx, accessTokenChannel, "");
      return replaceUnopened(tx, id, target);
    });
    replaced.push(...secrets.map((secret) => ({ companyName: name, ...secret })));
  }
  await database.transaction((tx) => finish(tx, target));
  if (replaced.length === 0) throw new NothingLost();
  return replaced;
}

/** The key that seals from here on: the database's own while it is known, else the first at hand. */
async function changeOver(tx: Tx, keys: MasterKeys): Promise<Buffer> {
  const [first] = keys;
  await insertVault(tx, fingerprintOf(first));
  const vault = await lockVault(tx);
  const known = keys.find((key) => fingerprintOf(key) === vault?.master_key);
  if (vault === undefined || known !== undefined) return known ?? first;
  const box = secretBox(...keys);
  for (const { purpose, sealed } of await selectPurposeKeys(tx))
    await updatePurposeKey(tx, purpose, sealAnew(box, purpose, sealed));
  // Until all is replaced, a start finds out that it is not.
  await updateVault(tx, { master_key: fingerprintOf(first), retiring_key: vault.master_key });
  return first;
}

/** A purpose key that is lost is replaced: payment links that were given out lead nowhere, reads show the new ones. */
function sealAnew(box: SecretBox, purpose: string, sealed: Buffer): Buffer {
  try {
    return sealPurposeKey(box, purpose, openPurposeKey(box, purpose, sealed));
  } catch {
    return sealPurposeKey(box, purpose);
  }
}

async function replaceUnopened(
  tx: Tx,
  companyId: string,
  target: SecretBox,
): Promise<Omit<ReplacedSecret, "companyName">[]> {
  const replaced = [];
  for (const secret of await lockSecrets(tx, companyId)) {
    const { key_id: keyId, sealed } = secret;
    const secretKey = `sk_${target.deriveKey(`signing secret ${companyId} ${keyId}`).toString("base64url")}`;
    const isOpen = opens(target, secret);
    if (!secret.is_live || (isOpen && target.open(sealed, companyId) !== secretKey)) continue;
    if (!isOpen) {
      await updateSecret(tx, companyId, keyId, target.seal(secretKey, companyId));
      await recordForCompany(tx, companyId, operator("master-key replace"), {
        action: "key.replaced",
        subject: toPublicId(keyIdPrefix, keyId),
        to: { masterKey: target.fingerprints[0] ?? null },
      });
    }
    replaced.push({ companyId, keyId, secretKey });
  }
  return replaced;
}

async function finish(tx: Tx, target: SecretBox): Promise<void> {
  const vault = await lockVault(tx);
  if (vault === undefined || vault.master_key !== target.fingerprints[0]) return;
  await updateVault(tx, { master_key: vault.master_key, retiring_key: null });
}
