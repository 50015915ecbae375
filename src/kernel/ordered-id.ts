import { randomFillSync } from "node:crypto";

const countMax = 2 ** 26;
const nonceMax = 2 ** 48;
const nonceBytes = 6;
const entropy = Buffer.alloc(nonceBytes * 512);
let entropyUsed = entropy.length;

/** A random number that marks the ids of one call, so that whoever lost its answer finds its own rows again. */
export function newNonce(): number {
  if (entropyUsed === entropy.length) {
    randomFillSync(entropy);
    entropyUsed = 0;
  }
  const nonce = entropy.readUIntBE(entropyUsed, nonceBytes);
  entropyUsed += nonceBytes;
  return nonce;
}

/**
 * The id that the database makes under a company's lock (`ordered_id` in src/database/ordered-ids.sql): a UUID of
 * version 7 whose time and count grow in the order of the commits.
 */
export function orderedId(ms: number, count: number, nonce: number): string {
  const time = hex(ms);
  const high = (0x7000 + (count >>> 14)).toString(16);
  const low = (0x8000 + (count & 0x3fff)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${low}-${hex((nonce + count) % nonceMax)}`;
}

/** Whether an id was made by the call that used this nonce: its count, taken off its last digits, leaves the nonce. */
export function isMadeWith(nonce: number, id: string): boolean {
  const count = countOfId(id);
  return count < countMax && (nonce + count) % nonceMax === Number.parseInt(id.slice(24), 16);
}

/** The place of an id among those of its millisecond. */
export function countOfId(id: string): number {
  const high = Number.parseInt(id.slice(14, 18), 16) - 0x7000;
  const low = Number.parseInt(id.slice(19, 23), 16) - 0x8000;
  return high * 0x4000 + low;
}

/** The nonce of the call that made an id. */
export function nonceOfId(id: string): number {
  return (Number.parseInt(id.slice(24), 16) - countOfId(id) + nonceMax) % nonceMax;
}

/** Of 48 bits. */
function hex(value: number): string {
  return value.toString(16).padStart(12, "0");
}
