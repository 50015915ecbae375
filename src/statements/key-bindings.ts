import { timingSafeEqual } from "node:crypto";
import { idOfKey, type LedgerKey, type PublicLedgerKey } from "./seal.ts";

/** A key as the database has it, with what binds it to the operator. */
export interface KeptKey extends PublicLedgerKey {
  readonly createdAt: Date;
  /** To the microsecond, as it is bound. */
  readonly createdText: string;
  readonly binding: { readonly predecessor: string | null; readonly mac: Buffer } | undefined;
}

export interface UnboundKey {
  readonly id: string;
  readonly createdAt: Date;
  readonly why: string;
}

export interface JudgedKeys {
  /** The operator's, oldest first. */
  readonly bound: readonly KeptKey[];
  /** Whoever may write to the database can have put them there: nothing that they signed counts. */
  readonly unbound: readonly UnboundKey[];
}

/** What a code is made of: a key as text, one fact a line. */
export function bindingText(key: KeptKey, predecessor: string | null): string {
  return [
    "cauri ledger key 1",
    `key ${key.id}`,
    `public ${key.publicKey}`,
    `created ${key.createdText}`,
    `after ${predecessor ?? "none"}`,
    "",
  ].join("\n");
}

/** Tells the operator's keys from others, by the one that signs now. */
export function judgeKeys(keys: readonly KeptKey[], own: LedgerKey): JudgedKeys {
  const judged = keys.map((key) => ({ key, why: whyUnbound(key, keys, own) }));
  return {
    bound: judged.filter(({ why }) => why === undefined).map(({ key }) => key),
    unbound: judged.flatMap(({ key, why }) =>
      why === undefined ? [] : [{ id: key.id, createdAt: key.createdAt, why }],
    ),
  };
}

/**
 * The key that signs needs no code before it has one: whoever opened it has proved it. So an installation from before there were codes
 * goes on, and whoever deletes codes gains nothing: no other key becomes the operator's by that.
 */
function whyUnbound(key: KeptKey, keys: readonly KeptKey[], own: LedgerKey): string | undefined {
  if (!isNamedRight(key)) return "its id is not that of its public key";
  const { binding } = key;
  if (binding === undefined)
    return key.publicKey === own.publicKey ? undefined : "nothing binds it to the key that signs";
  if (!isSame(own.mac(bindingText(key, binding.predecessor)), binding.mac))
    return "it was bound to another key than the one that signs, or it was changed";
  return binding.predecessor === null || keys.some(({ id }) => id === binding.predecessor)
    ? undefined
    : `the key before it, ${binding.predecessor}, was removed`;
}

export function isNamedRight({ id, publicKey }: PublicLedgerKey): boolean {
  return idOfKey(Buffer.from(publicKey, "base64")) === id;
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
