import { type Country, completeMsisdn } from "../kernel/countries.ts";
import { type PhoneProblem, readPhone } from "../kernel/read-phone.ts";

type RecipientProblem = PhoneProblem | "scientific" | "zeroLost";

export type RecipientRead =
  /** isCompleted: the country code was added, which whoever pays has to see. */
  | { readonly msisdn: string; readonly isCompleted: boolean; readonly problem?: never }
  | { readonly problem: RecipientProblem; readonly msisdn?: never };

/** Reads a phone number as it stands in a spreadsheet, and knows what spreadsheets do to numbers. */
export function readRecipient(typed: string, country: Country): RecipientRead {
  const text = typed.trim();
  if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(text)) return { problem: "scientific" };
  // A number with decimals: zeros say nothing, anything else was never a phone number.
  const decimals = /^(\d{7,15})[.,](\d+)$/.exec(text);
  if (decimals !== null && !/^0+$/.test(decimals[2] ?? "")) return { problem: "wrong" };
  const read = readPhone(decimals?.[1] ?? text, country);
  if (read.problem !== "withoutCountry") return read;
  const isZeroLost =
    country.example.startsWith("0") &&
    completeMsisdn(country, `0${text.replaceAll(/\D/g, "")}`) !== undefined;
  return { problem: isZeroLost ? "zeroLost" : "withoutCountry" };
}
