import { readFile } from "node:fs/promises";
import type { PublicLedgerKey } from "../seal.ts";
import { parseSealResource } from "../seal-resource.ts";
import { UnreadableWitness } from "./errors.ts";
import type { Witness } from "./verify-ledger.ts";

/** What a business has kept: seals, as answers or notifications brought them, and the operator's keys. */
export async function readWitness(paths: {
  readonly seals?: string;
  readonly key?: string;
}): Promise<Witness> {
  return {
    seals: paths.seals === undefined ? [] : await readSeals(paths.seals),
    keys: paths.key === undefined ? undefined : await readKeys(paths.key),
  };
}

/** An answer or a notification has them in `data`; a list of such, or of seals, is taken too. */
async function readSeals(path: string) {
  const found = sealsIn(await readJson(path)).map(parseSealResource);
  const seals = found.filter((seal) => seal !== undefined);
  if (seals.length === 0 || seals.length < found.length)
    throw new UnreadableWitness(path, "it has no seals in it, or something that is none");
  return seals;
}

function sealsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(sealsIn);
  if (typeof value === "object" && value !== null && "data" in value) return sealsIn(value.data);
  return [value];
}

async function readKeys(path: string): Promise<readonly PublicLedgerKey[]> {
  const value = await readJson(path);
  const keys = typeof value === "object" && value !== null && "keys" in value ? value.keys : [];
  const found = (Array.isArray(keys) ? keys : []).filter(isKey);
  if (found.length === 0) throw new UnreadableWitness(path, "it has no keys in it");
  return found;
}

function isKey(value: unknown): value is PublicLedgerKey {
  const { id, publicKey } = (value ?? {}) as Partial<Record<"id" | "publicKey", unknown>>;
  return typeof id === "string" && typeof publicKey === "string";
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as unknown;
  } catch (error) {
    throw new UnreadableWitness(path, "it cannot be read as JSON", { cause: error });
  }
}
