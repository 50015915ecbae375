import { type Country, completeMsisdn } from "./countries.ts";
import { isMsisdn, oldNumberOf } from "./msisdn.ts";

/** oldBenin, oldIvoryCoast: eight digits, as all numbers had there before they got two more. */
export type PhoneProblem = "missing" | "wrong" | "withoutCountry" | "oldBenin" | "oldIvoryCoast";

type PhoneRead =
  /** isCompleted: without its country code, which is a guess that its owner has to see before it is used. */
  | { readonly msisdn: string; readonly isCompleted: boolean; readonly problem?: never }
  | { readonly problem: PhoneProblem; readonly msisdn?: never };

const oldProblems = { "225": "oldIvoryCoast", "229": "oldBenin" } as const;

/** Everywhere in the union a number with its country code has at least eleven digits. */
const digitsWithCountryMin = 11;

/**
 * Reads a number as people write it: spaces, dots, dashes and brackets mean nothing, + and 00 begin a
 * country code. A short number without either is one somebody wrote as they dial it at home, in this country as
 * long as it has the right length.
 */
export function readPhone(typed: string, country: Country): PhoneRead {
  const { text, digits, isInternational } = take(typed);
  if (text === "") return { problem: "missing" };
  if (!/^[0-9]+$/.test(digits)) return { problem: "wrong" };
  const isShort = !isInternational && digits.length < digitsWithCountryMin;
  const old = oldNumberOf(isShort ? country.callingCode + digits : digits);
  if (old !== undefined) return { problem: oldProblems[old] };
  if (isShort) {
    const msisdn = completeMsisdn(country, digits);
    return msisdn === undefined ? { problem: "withoutCountry" } : { msisdn, isCompleted: true };
  }
  return isMsisdn(digits) ? { msisdn: digits, isCompleted: false } : { problem: "wrong" };
}

/** The number that somebody looks for. One that nobody has any more is found too, where it was paid when it was good. */
export function readSoughtPhone(typed: string, country: Country): string | undefined {
  const { digits } = take(typed);
  return oldNumberOf(digits) === undefined ? readPhone(typed, country).msisdn : digits;
}

function take(typed: string) {
  const text = typed.replaceAll(/[\s.\-\u2010-\u2015()/]/g, "");
  return { text, digits: text.replace(/^(?:\+|00)/, ""), isInternational: /^(?:\+|00)/.test(text) };
}
