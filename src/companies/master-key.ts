import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseMasterKeys } from "../kernel/master-keys.ts";
import { readOrMakePrivateFile, writePrivateFile } from "../kernel/private-file.ts";
import { type SecretBox, secretBox } from "../kernel/secret-box.ts";
import { DamagedMasterKey } from "./errors.ts";

export type MasterKeys = readonly [Buffer, ...Buffer[]];

/** Where master keys come from: the setting, or without one (staging only) a file beside the data. */
export interface KeySource {
  /** Newest first; empty for the file. */
  readonly masterKeys: readonly Buffer[];
  readonly dataDir: string;
}

export function keyFileOf({ dataDir }: KeySource): string {
  return join(dataDir, "master.key");
}

/** Newest first; undefined when there is neither a setting nor a file. */
export async function readMasterKeys(source: KeySource): Promise<MasterKeys | undefined> {
  const [first, ...others] = source.masterKeys;
  if (first !== undefined) return [first, ...others];
  const path = keyFileOf(source);
  try {
    return parseFile(path, await readFile(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export async function readSecretBox(source: KeySource): Promise<SecretBox | undefined> {
  const keys = await readMasterKeys(source);
  return keys && secretBox(...keys);
}

/** For a database that has no secrets yet, or has lost what opened them. */
export async function readOrMakeMasterKeys(source: KeySource): Promise<MasterKeys> {
  const known = source.masterKeys.length > 0 ? await readMasterKeys(source) : undefined;
  if (known !== undefined) return known;
  const path = keyFileOf(source);
  return parseFile(path, await readOrMakePrivateFile(path, () => toText([randomBytes(32)])));
}

/** One key a line, newest first. */
export function writeKeyFile(path: string, keys: readonly Buffer[]): Promise<void> {
  return writePrivateFile(path, toText(keys));
}

function toText(keys: readonly Buffer[]): string {
  return keys.map((key) => `${key.toString("base64")}\n`).join("");
}

function parseFile(path: string, text: string): MasterKeys {
  const [first, ...others] = parseMasterKeys(text) ?? [];
  if (first === undefined) throw new DamagedMasterKey(path);
  return [first, ...others];
}
