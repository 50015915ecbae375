import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { companyIdPrefix } from "../companies/company.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { TrailHead } from "./trail-chain.ts";

/** What the operator says of one day of a company's books. Its hash stands for every posting up to its number. */
export interface SealFacts {
  readonly companyId: string;
  /** In the company's time zone, such as 2026-01-31. */
  readonly day: string;
  /** When that day was over: every posting before this moment is sealed. */
  readonly until: Date;
  /** Of the last posting before that. */
  readonly number: number;
  /** What was available after it. */
  readonly balance: number;
  readonly hash: Buffer;
  /** How far the trails were then; undefined in seals of releases before. */
  readonly trails?: SealedTrails | undefined;
}

/** The last entries of two trails: the company's, and that of the installation, which names those of people and customers. */
export interface SealedTrails {
  readonly company: TrailHead;
  readonly installation: TrailHead;
}

export interface Seal extends SealFacts {
  /** Of the key that signed. */
  readonly keyId: string;
  readonly signature: Buffer;
}

/** A key that the operator signs with, as others know it. */
export interface PublicLedgerKey {
  /** The first half of the public key's SHA-256, in hexadecimal. */
  readonly id: string;
  /** The 32 bytes of Ed25519, in base64. */
  readonly publicKey: string;
}

export interface LedgerKey extends PublicLedgerKey {
  sign(text: string): Buffer;
  /** A code that only the holder of the private key can make or check: HMAC-SHA-256 by a key of its own. */
  mac(text: string): Buffer;
}

/** What DER puts before the 32 bytes of an Ed25519 key: RFC 8410. */
const privateKeyPrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicKeyPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** The key that 32 secret bytes stand for. */
export function ledgerKeyOf(seed: Buffer): LedgerKey {
  const key = createPrivateKey({
    key: Buffer.concat([privateKeyPrefix, seed]),
    format: "der",
    type: "pkcs8",
  });
  const der = createPublicKey(key).export({ format: "der", type: "spki" });
  const raw = der.subarray(publicKeyPrefix.length);
  const macKey = Buffer.from(hkdfSync("sha256", seed, "", "ledger key binding", 32));
  return {
    id: idOfKey(raw),
    publicKey: raw.toString("base64"),
    sign: (text) => sign(null, Buffer.from(text), key),
    mac: (text) => createHmac("sha256", macKey).update(text).digest(),
  };
}

/** Whether one of these keys, found by its id, has signed a text. A key whose id is not its own is none. */
export function isSignedBy(
  keys: readonly PublicLedgerKey[],
  keyId: string,
  text: string,
  signature: Buffer,
): boolean {
  const known = keys.find(({ id }) => id === keyId);
  const raw = Buffer.from(known?.publicKey ?? "", "base64");
  if (raw.length !== 32 || idOfKey(raw) !== keyId) return false;
  return verify(null, Buffer.from(text), toKeyObject(raw), signature);
}

/** What is signed: a seal as text, one fact a line. */
export function sealText({
  companyId,
  day,
  until,
  number,
  balance,
  hash: at,
  trails,
}: SealFacts): string {
  return [
    trails === undefined ? "cauri seal 1" : "cauri seal 2",
    `company ${toPublicId(companyIdPrefix, companyId)}`,
    `day ${day}`,
    `until ${until.toISOString()}`,
    `posting ${number}`,
    `balance ${balance}`,
    `hash ${at.toString("hex")}`,
    ...(trails === undefined ? [] : trailLines(trails)),
    "",
  ].join("\n");
}

/** The trails as they stand in the text, one a line. */
export function trailLines({ company, installation }: SealedTrails): string[] {
  const said = ({ number, hash: at }: TrailHead) => `${number} ${at.toString("hex")}`;
  return [`trail ${said(company)}`, `installation ${said(installation)}`];
}

export function signSeal(key: LedgerKey, facts: SealFacts): Seal {
  return { ...facts, keyId: key.id, signature: key.sign(sealText(facts)) };
}

export function isGenuine(keys: readonly PublicLedgerKey[], seal: Seal): boolean {
  return isSignedBy(keys, seal.keyId, sealText(seal), seal.signature);
}

/** With which a seal is handed over; nothing when the key is none of these. */
export function publicKeyOf(keys: readonly PublicLedgerKey[], { keyId }: Seal): string {
  return keys.find(({ id }) => id === keyId)?.publicKey ?? "";
}

export function idOfKey(raw: Buffer): string {
  return hash("sha256", raw, "hex").slice(0, 32);
}

function toKeyObject(raw: Buffer): KeyObject {
  return createPublicKey({
    key: Buffer.concat([publicKeyPrefix, raw]),
    format: "der",
    type: "spki",
  });
}
