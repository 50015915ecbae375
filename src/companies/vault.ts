import { randomBytes } from "node:crypto";
import type { Database, Queryable, Tx } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import { type SecretBox, secretBox } from "../kernel/secret-box.ts";
import { toVisible } from "../kernel/visible.ts";
import { companyIdPrefix } from "./company.ts";
import { DamagedPurposeKey, MasterKeyMissing, type Unopened, WrongMasterKey } from "./errors.ts";
import { type KeySource, keyFileOf, readOrMakeMasterKeys, readSecretBox } from "./master-key.ts";
import {
  insertPurposeKey,
  insertVault,
  lockVault,
  type SecretRow,
  selectLiveSecrets,
  selectPurposeKeys,
  selectVault,
  shareVault,
  type VaultRow,
} from "./vault-store.ts";

const pageSize = 500;
/** Companies that are named; the others are counted. */
const namedMax = 10;

/** The purposes that once had their keys from the master key itself; every other one is derived from `rest`. */
const purposes = ["payment link", "one-time code", "rest"] as const;

/** What the operator signs the books with. Made at random, so that no master key leads to it but through the vault. */
export const ledgerKeyPurpose = "ledger";

/**
 * The box that seals and opens the secrets of this database. Tried before anything is sealed or served: a wrong master
 * key would otherwise be found only when a notification has to be signed.
 */
export async function openVault(database: Database, source: KeySource): Promise<SecretBox> {
  const box = await findBox(database, source);
  const { sealing, keys } = await database.transaction(async (tx) => {
    const opened = await sealingBox(tx, box, () => readSecretBox(source));
    return { sealing: opened, keys: await openPurposeKeys(tx, opened) };
  });
  const rest = secretBox(keys.get("rest") ?? Buffer.alloc(0));
  return { ...sealing, deriveKey: (purpose) => keys.get(purpose) ?? rest.deriveKey(purpose) };
}

/**
 * The same box, sealing with the master key that this database is sealed with now; that stays so until the commit. The
 * first to seal anything decides it. `reread` reads the keys again, which may have changed until the vault stood still.
 */
export async function sealingBox(
  tx: Tx,
  box: SecretBox,
  reread: () => Promise<SecretBox | undefined> = async () => undefined,
): Promise<SecretBox> {
  await insertVault(tx, box.fingerprints[0] ?? "");
  const vault = await shareVault(tx);
  const sealing =
    vault && (box.sealingWith(vault.master_key) ?? (await reread())?.sealingWith(vault.master_key));
  if (sealing === undefined)
    throw new WrongMasterKey(box.fingerprints, vault, await findUnopened(tx, box));
  return sealing;
}

/** What of this database the keys at hand do not open. */
export async function inspectVault(database: Database, source: KeySource): Promise<Unopened> {
  return findUnopened(database, (await readSecretBox(source)) ?? { open: refuse });
}

/** Live secrets that none of the keys opens. */
export async function findUnopened(
  database: Queryable,
  box: Pick<SecretBox, "open">,
): Promise<Unopened> {
  let secrets = 0;
  const owners = new Map<string, string>();
  for await (const secret of eachLiveSecret(database)) {
    if (opens(box, secret)) continue;
    secrets += 1;
    owners.set(secret.company_id, secret.name);
  }
  const names = [...owners]
    .slice(0, namedMax)
    .map(([id, name]) => `${toVisible(name)} (${toPublicId(companyIdPrefix, id)})`);
  return { secrets, companies: owners.size, names };
}

export function opens(
  box: Pick<SecretBox, "open">,
  secret: Pick<SecretRow, "company_id" | "sealed">,
): boolean {
  try {
    box.open(secret.sealed, secret.company_id);
    return true;
  } catch {
    return false;
  }
}

/** The keys at hand, after a look at whether they open everything that they have to. */
async function findBox(database: Database, source: KeySource): Promise<SecretBox> {
  const vault = await selectVault(database);
  const box = await readSecretBox(source);
  if (box !== undefined && vault !== undefined && knows(box, vault)) return box;

  const unopened = await findUnopened(database, box ?? { open: refuse });
  const isWrong = vault !== undefined && box?.fingerprints.includes(vault.master_key) !== true;
  if (isWrong || unopened.secrets > 0)
    throw box === undefined
      ? new MasterKeyMissing(keyFileOf(source), unopened)
      : new WrongMasterKey(box.fingerprints, vault, unopened);
  return box ?? secretBox(...(await readOrMakeMasterKeys(source)));
}

function knows({ fingerprints }: SecretBox, { master_key, retiring_key }: VaultRow): boolean {
  return (
    fingerprints.includes(master_key) &&
    (retiring_key === null || fingerprints.includes(retiring_key))
  );
}

async function openPurposeKeys(tx: Tx, box: SecretBox): Promise<ReadonlyMap<string, Buffer>> {
  for (const purpose of purposes) await insertPurposeKey(tx, purpose, sealPurposeKey(box, purpose));
  const ledgerKey = sealPurposeKey(box, ledgerKeyPurpose, randomBytes(32));
  await insertPurposeKey(tx, ledgerKeyPurpose, ledgerKey);
  const rows = await selectPurposeKeys(tx);
  return new Map(rows.map(({ purpose, sealed }) => [purpose, openUndamaged(box, purpose, sealed)]));
}

/** The master key fits, so a key that it does not open was changed, or is another purpose's. */
function openUndamaged(box: SecretBox, purpose: string, sealed: Buffer): Buffer {
  try {
    return openPurposeKey(box, purpose, sealed);
  } catch {
    throw new DamagedPurposeKey(purpose);
  }
}

/** Until the commit nobody else makes or seals keys. */
export async function lockPurposeKeys(tx: Tx): Promise<void> {
  await lockVault(tx);
}

/** The key of a purpose that has none yet. */
export function sealPurposeKey(
  box: SecretBox,
  purpose: string,
  key = box.deriveKey(purpose),
): Buffer {
  return box.seal(key.toString("base64"), boundTo(purpose));
}

export function openPurposeKey(box: SecretBox, purpose: string, sealed: Buffer): Buffer {
  return Buffer.from(box.open(sealed, boundTo(purpose)), "base64");
}

function boundTo(purpose: string): string {
  return `purpose ${purpose}`;
}

async function* eachLiveSecret(
  database: Queryable,
): AsyncGenerator<SecretRow & { readonly name: string }> {
  let after: SecretRow | undefined;
  while (true) {
    const page = await selectLiveSecrets(database, after, pageSize);
    yield* page;
    after = page.at(-1);
    if (page.length < pageSize) return;
  }
}

function refuse(): never {
  throw new Error("there is no key to open it with");
}
