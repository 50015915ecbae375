import { isUtf8 } from "node:buffer";
import secureJson from "secure-json-parse";
import type { Sentence } from "../kernel/language.ts";
import { InvalidJson } from "./errors.ts";

const nestingMax = 64;
/** A decimal of up to 15 digits survives the way into a double and back; beyond that it must be looked at. */
const safeDigits = 15;

const nestedTooDeeply: Sentence = {
  en: `The body is nested too deeply; at most ${nestingMax} levels are allowed.`,
  fr: `Le corps est trop imbriqué, ${nestingMax} niveaux au plus sont admis.`,
};

/** Bodies with a number that would come back as another one: see `hasInexactNumber`. */
const inexactBodies = new WeakSet<object>();

/**
 * A request body as a value. Empty is no body, whatever the content type says. Bytes that are not UTF-8
 * are refused, not replaced.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new InvalidJson();
  const isExact = checkTokens(body);
  try {
    const value: unknown = secureJson.parse(body.toString("utf8"));
    if (!isExact && typeof value === "object" && value !== null) inexactBodies.add(value);
    return value;
  } catch (error) {
    throw new InvalidJson(forbiddenKeyIn(body), { cause: error });
  }
}

/** Why JSON was refused that is valid: it has a key by which objects of this program could be changed. */
function forbiddenKeyIn(body: Buffer): Sentence | undefined {
  const text = body.toString("utf8");
  if (!isJson(() => JSON.parse(text))) return undefined;
  const key = isJson(() => secureJson.parse(text, undefined, { protoAction: "ignore" }))
    ? "__proto__"
    : "constructor.prototype";
  return {
    en: `The body holds the key ${key}, which is not allowed; rename it or leave it out.`,
    fr: `Le corps contient la clé ${key}, qui n’est pas admise. Renommez-la ou omettez-la.`,
  };
}

function isJson(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

/** Whether a parsed body held a number that a double cannot keep, such as 12345678901234567890. */
export function hasInexactNumber(body: unknown): boolean {
  return typeof body === "object" && body !== null && inexactBodies.has(body);
}

/**
 * One pass over the bytes, before anything recursive or lossy sees the value. Strings are passed over.
 * Refuses what is nested too deeply; false when a number is not exact.
 */
function checkTokens(body: Buffer): boolean {
  let isExact = true;
  let depth = 0;
  for (let place = 0; place < body.length; place += 1) {
    const byte = body[place] ?? 0;
    if (byte === quote) place = endOfString(body, place);
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > nestingMax) throw new InvalidJson(nestedTooDeeply);
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      const end = endOfNumber(body, place);
      isExact &&= isExactNumber(body, place, end);
      place = end - 1;
    }
  }
  return isExact;
}

const quote = 0x22;
const backslash = 0x5c;

function endOfString(body: Buffer, start: number): number {
  let place = start + 1;
  while (place < body.length && body[place] !== quote) place += body[place] === backslash ? 2 : 1;
  return place;
}

function endOfNumber(body: Buffer, start: number): number {
  let end = start + 1;
  while (end < body.length && isNumberByte(body[end] ?? 0)) end += 1;
  return end;
}

function isNumberByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2e ||
    byte === 0x65 ||
    byte === 0x45 ||
    byte === 0x2b ||
    byte === 0x2d
  );
}

function isExactNumber(body: Buffer, start: number, end: number): boolean {
  const text = body.toString("latin1", start, end);
  if (text.length <= safeDigits && !/e/i.test(text)) return true;
  const value = Number(text);
  return Number.isFinite(value) && digitsOf(text) === digitsOf(String(value));
}

/** The significant digits, without point, sign, exponent and padding. */
function digitsOf(text: string): string {
  const [mantissa = ""] = text.toLowerCase().split("e");
  return mantissa.replaceAll(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
}
