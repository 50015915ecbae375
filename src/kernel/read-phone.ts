import { type Country, completeMsisdn } from "./countries.ts";
import { isMsisdn } from "./msisdn.ts";

type PhoneProblem = "missing" | "wrong" | "withoutCountry";

type PhoneRead =
  /** isCompleted: without its country code, which is a guess that its owner has to see before it is used. */
  | { readonly msisdn: string; readonly isCompleted: boolean; readonly problem?: never }
  | { readonly problem: PhoneProblem; readonly msisdn?: never };

/** Everywhere in the union a number with its country code has at least eleven digits. */
const digitsWithCountryMin = 11;

/**
 * Reads a number as people write it: spaces, dots, dashes and brackets mean nothing, + and 00 begin a
 * country code. A short number without either is one somebody wrote as they dial it at home, in this country as
 * long as it has the right length.
 */
export function readPhone(typed: string, country: Country): PhoneRead {
  const text = typed.replaceAll(/[\s.\-\u2010-\u2015()/]/g, "");
  if (text === "") return { problem: "missing" };
  const isInternational = /^(?:\+|00)/.test(text);
  const digits = text.replace(/^(?:\+|00)/, "");
  if (!/^[0-9]+$/.test(digits)) return { problem: "wrong" };
  if (!isInternational && digits.length < digitsWithCountryMin) {
    const msisdn = completeMsisdn(country, digits);
    return msisdn === undefined ? { problem: "withoutCountry" } : { msisdn, isCompleted: true };
  }
  return isMsisdn(digits) ? { msisdn: digits, isCompleted: false } : { problem: "wrong" };
}
