import { firstUuidAt } from "./ids.ts";

/** Crockford's alphabet: no I, L, O or U, so a reference survives being read over the telephone. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const randomValues = 2 ** 38;

/**
 * The reference a recipient sees, such as "1JB2-K4ZQ-7M3N-VX0A": 42 bits of time and 38 random bits of
 * the transfer's own id. Derived, so it costs no column and no index, and it leads back to its transfer.
 */
export function toServiceReference(uuid: string): string {
  const time = Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
  const random = Number.parseInt(uuid.slice(26), 16) % randomValues;
  // Two halves of 40 bits each, because a JavaScript number holds 53.
  const high = encode(Math.floor(time / 4));
  const low = encode((time % 4) * randomValues + random);
  return `${high.slice(0, 4)}-${high.slice(4)}-${low.slice(0, 4)}-${low.slice(4)}`;
}

export interface IdRange {
  readonly from: string;
  readonly before: string;
  /** The last 38 bits of the id. */
  readonly random: number;
}

/** Where the id behind a reference lies: in one millisecond, with some of its bits known. Undefined when it is not one. */
export function idRangeOf(reference: string): IdRange | undefined {
  const text = reference.trim().toUpperCase().replaceAll("-", "");
  const high = decode(text.slice(0, 8));
  const low = decode(text.slice(8));
  if (text.length !== 16 || high === undefined || low === undefined) return undefined;
  const ms = high * 4 + Math.floor(low / randomValues);
  return {
    from: firstUuidAt(ms),
    before: firstUuidAt(ms + 1),
    random: low % randomValues,
  };
}

function encode(value: number): string {
  let text = "";
  let rest = value;
  for (let place = 0; place < 8; place += 1) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function decode(text: string): number | undefined {
  let value = 0;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 32 + digit;
  }
  return value;
}
