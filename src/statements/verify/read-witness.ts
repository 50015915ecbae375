import { readFile, stat } from "node:fs/promises";
import type { PublicLedgerKey } from "../seal.ts";
import { parseSealResource } from "../seal-resource.ts";
import { UnreadableWitness } from "./errors.ts";
import type { Witness } from "./verify-ledger.ts";

/** A seal a day for a hundred years is some twenty megabytes. */
const witnessBytesMax = 64 * 1024 * 1024;

/** What a business has kept: seals, as answers or notifications brought them, and the operator's keys. */
export async function readWitness(paths: {
  readonly seals?: string;
  readonly key?: string;
}): Promise<Witness> {
  return {
    ...(paths.seals === undefined ? { seals: [] } : await readSeals(paths.seals)),
    keys: paths.key === undefined ? undefined : await readKeys(paths.key),
  };
}

/** The same of a text: keys, or else seals. */
export function witnessIn(text: string): Witness {
  const value = parseJson("The text", text);
  const isKeys = typeof value === "object" && value !== null && "keys" in value;
  return isKeys ? { seals: [], keys: keysOf("The text", value) } : sealsOf("The text", value);
}

async function readSeals(path: string) {
  return sealsOf(path, await readJson(path));
}

/** An answer or a notification has them in `data`; a list of such, or of seals, is taken too. */
function sealsOf(path: string, value: unknown) {
  const resources = sealsIn(value);
  const seals = resources.map(parseSealResource).filter((seal) => seal !== undefined);
  if (seals.length === 0 || seals.length < resources.length)
    throw new UnreadableWitness(path, "it has no seals in it, or something that is none");
  const sealKeys = resources
    .map((resource) => resource as Partial<Record<"keyId" | "publicKey", unknown>>)
    .map(({ keyId, publicKey }) => ({ id: keyId, publicKey }))
    .filter(isKey);
  return { seals, sealKeys };
}

/** A list of answers, each with a list in its `data`, is four deep. */
const depthMax = 8;

function sealsIn(value: unknown, depth = 0): unknown[] {
  if (depth > depthMax) return [value];
  if (Array.isArray(value)) return value.flatMap((one) => sealsIn(one, depth + 1));
  if (typeof value === "object" && value !== null && "data" in value)
    return sealsIn(value.data, depth + 1);
  return [value];
}

async function readKeys(path: string): Promise<readonly PublicLedgerKey[]> {
  return keysOf(path, await readJson(path));
}

function keysOf(path: string, value: unknown): readonly PublicLedgerKey[] {
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
  if ((await stat(path)).size > witnessBytesMax)
    throw new UnreadableWitness(path, `it is larger than ${witnessBytesMax} bytes`);
  return parseJson(path, await readFile(path, "utf8"));
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UnreadableWitness(path, "it cannot be read as JSON", { cause: error });
  }
}
