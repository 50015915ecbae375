import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readOrMakePrivateFile } from "../kernel/private-file.ts";
import { type SecretBox, secretBox } from "../kernel/secret-box.ts";

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
  if (key.length !== 32)
    throw new Error(`${path} does not hold 32 bytes in base64; restore it from a backup.`);
  return secretBox(key);
}
