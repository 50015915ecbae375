import { InvalidRequest } from "./errors.ts";

const iso8601 =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

export function readMoment(field: string, text: string): Date {
  // A + that was not encoded arrives as a space. A time without a zone is UTC, like every time we answer.
  const said = text.replace(" ", "+");
  const shape = iso8601.exec(said);
  const moment = new Date(said.includes("T") && shape?.[1] === undefined ? `${said}Z` : said);
  if (shape === null || Number.isNaN(moment.getTime())) {
    throw InvalidRequest.field(field, {
      en: `${field} is not a moment; it must be one in ISO 8601, such as 2026-01-31T00:00:00.000Z.`,
      fr: `${field} n’est pas un instant. Valeur attendue\u00a0: un instant ISO 8601, par exemple 2026-01-31T00:00:00.000Z.`,
    });
  }
  return moment;
}
