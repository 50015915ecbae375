import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Database } from "../database/database.ts";
import { readOrMakePrivateFile } from "../kernel/private-file.ts";
import { type SecretBox, secretBox } from "../kernel/secret-box.ts";
import { selectAnySealedSecret } from "./credentials-store.ts";
import { DamagedMasterKey, WrongMasterKey } from "./errors.ts";

/**
 * The box that seals secret keys. Its key comes from the environment; without one (staging only) it is a
 * file beside the data, which belongs into the backup: without it the sealed secrets cannot be read.
 */
export async function openSecretBox(options: {
  readonly masterKey: Buffer | undefined;
  readonly dataDir: string;
}): Promise<SecretBox> {
  if (options.masterKey !== undefined) return secretBox(options.masterKey);
  const path = join(options.dataDir, "master.key");
  const text = await readOrMakePrivateFile(path, () => `${randomBytes(32).toString("base64")}\n`);
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new DamagedMasterKey(path);
  return secretBox(key);
}

/**
 * Tries the master key at the start: otherwise a wrong one would be found only when a notification has to be signed.
 */
export async function checkSecretBox(database: Database, box: SecretBox): Promise<void> {
  const sealed = await selectAnySealedSecret(database);
  if (sealed === undefined) return;
  try {
    box.open(sealed.sealed, sealed.company_id);
  } catch {
    throw new WrongMasterKey();
  }
}
