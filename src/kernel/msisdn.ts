import type { Sentence } from "./language.ts";

/**
 * A phone number as callers may write it: digits with country code, 8 to 15, with a leading + or none. No country code begins
 * with 0. Benin (229) and Côte d'Ivoire (225) have given all their numbers two more digits, so eleven digits that begin with
 * one of those are a number that is nobody's any more. Written without looking ahead, which not every language's expressions
 * can do: the pattern is in the public document.
 */
export const msisdnPattern =
  "^\\+?(?:[1-9][0-9]{7,9}|[13-9][0-9]{10}|2[013-9][0-9]{9}|22[0-46-8][0-9]{8}|[1-9][0-9]{11,14})$";
/** The same in a query string: a + arrives there as a space when the caller did not encode it, and is read as the + it was. */
export const msisdnQueryPattern =
  "^[+ ]?(?:[1-9][0-9]{7,9}|[13-9][0-9]{10}|2[013-9][0-9]{9}|22[0-46-8][0-9]{8}|[1-9][0-9]{11,14})$";

/** What is wrong with a number as it is dialled at home, or with 00 instead of +, and how it is written. */
const beginsWithZero: Sentence = {
  en: "begins with 0, so it has no country code. Write it with its country code, such as +221771234567.",
  fr: "commence par 0, il n’a donc pas d’indicatif. Écrivez-le avec son indicatif, par exemple +221771234567.",
};
const beginsWithZeros: Sentence = {
  en: "begins with 00. Write + or nothing before the country code, such as +221771234567.",
  fr: "commence par 00. Écrivez + ou rien devant l’indicatif, par exemple +221771234567.",
};

/** Since 30 November 2024 in Benin and 31 January 2021 in Côte d'Ivoire; which prefix, there, is a matter of the operator. */
const oldNumbers: Readonly<Record<string, Sentence>> = {
  "229": {
    en: "has eight digits after 229, and numbers of Benin have ten. Write 01 before the eight, such as +229 01 97 12 34 56.",
    fr: "a huit chiffres après 229, et les numéros du Bénin en ont dix. Écrivez 01 devant les huit, par exemple +229 01 97 12 34 56.",
  },
  "225": {
    en: "has eight digits after 225, and numbers of Côte d’Ivoire have ten. Write 01, 05 or 07 before the eight, as the operator has it, such as +225 07 01 02 03 04.",
    fr: "a huit chiffres après 225, et les numéros de Côte d’Ivoire en ont dix. Écrivez 01, 05 ou 07 devant les huit, selon l’opérateur, par exemple +225 07 01 02 03 04.",
  },
};

/** The country code of a number as it was before its country gave it two more digits; undefined for any other. */
export function oldNumberOf(digits: string): "225" | "229" | undefined {
  const [, code] = /^(225|229)[0-9]{8}$/.exec(digits) ?? [];
  return code as "225" | "229" | undefined;
}

/**
 * How to mend a number that somebody wrote as it is dialled at home, with 00 instead of +, or as it was years ago; undefined when
 * it is none of these. It may have other mistakes too; this is the one to mend first.
 */
export function msisdnProblem(text: string): Sentence | undefined {
  const [, zeros] = /^[+ ]?(00?)/.exec(text) ?? [];
  if (zeros !== undefined) return zeros === "0" ? beginsWithZero : beginsWithZeros;
  return oldNumbers[oldNumberOf(text.replace(/^[+ ]/, "")) ?? ""];
}

const shape = new RegExp(msisdnPattern);

export function isMsisdn(text: string): boolean {
  return shape.test(text);
}

/** Stored and matched as digits, so that +225… and 225… are one person. */
export function toDigits(msisdn: string): string {
  return msisdn.startsWith("+") ? msisdn.slice(1) : msisdn;
}

/** For logs and pages: enough to recognise one's own number, not enough to learn another's. */
export function maskMsisdn(digits: string): string {
  return "*".repeat(Math.max(0, digits.length - 2)) + digits.slice(-2);
}
