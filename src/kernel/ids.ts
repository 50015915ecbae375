import { randomFillSync } from "node:crypto";

const counterMax = 2 ** 26;
const entropy = Buffer.alloc(8 * 512);
let entropyUsed = entropy.length;
let lastMs = 0;
let counter = 0;

/**
 * A new UUID v7 for this moment: time-ordered, so that indexes grow at one end, and made here, so that a request
 * knows its id before the database does. Within one process ids strictly increase, also inside one
 * millisecond: 26 bits behind the time are a counter (RFC 9562, method 1), so the rows of a batch
 * sort as they were sent. 48 random bits remain.
 */
export function newUuid(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else {
    // Same millisecond, or a clock that stepped back: keep counting from the newest time seen.
    counter += 1;
    if (counter === counterMax) {
      lastMs += 1;
      counter = 0;
    }
  }
  if (entropyUsed === entropy.length) {
    randomFillSync(entropy);
    entropyUsed = 0;
  }
  const random = entropy.toString("hex", entropyUsed, entropyUsed + 6);
  entropyUsed += 8;

  const time = lastMs.toString(16).padStart(12, "0");
  const high = (0x7000 | (counter >>> 14)).toString(16);
  const low = (0x8000 | (counter & 0x3fff)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${low}-${random}`;
}

/** The moment inside an id; a row's createdAt is exactly this, so a time range is an id range. */
export function timeOfUuid(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** The smallest uuid of a moment: the start of the id range that begins there. */
export function firstUuidAt(ms: number): string {
  const time = Math.min(Math.max(0, Math.floor(ms)), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The API shows an id as 32 hexadecimal digits behind a prefix that names the kind. */
export function toPublicId(prefix: string, uuid: string): string {
  return `${prefix}_${uuid.replaceAll("-", "")}`;
}

const hexadecimal = /^[0-9a-f]{32}$/;

/** The uuid inside a public id; undefined for anything else, which the API answers with "not found". */
export function parsePublicId(prefix: string, text: string): string | undefined {
  if (!text.startsWith(`${prefix}_`)) return undefined;
  const hex = text.slice(prefix.length + 1);
  return hexadecimal.test(hex) ? toUuid(hex) : undefined;
}

export const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id that the API shows without a prefix; undefined for anything else. */
export function parseUuid(text: string): string | undefined {
  return uuidShape.test(text) ? text : undefined;
}

export function toUuid(hex: string): string {
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
