/** A country of the XOF union: how its people write their phone numbers, and what time it is there. */
export interface Country {
  /** ISO 3166. */
  readonly code: string;
  readonly callingCode: string;
  /** A mobile number as it is written at home; every number there has as many digits. */
  readonly example: string;
  readonly timeZone: string;
}

const senegal: Country = {
  code: "SN",
  callingCode: "221",
  example: "77 123 45 67",
  timeZone: "Africa/Dakar",
};

/** All eight. Numbers dialled at home have at most ten digits, those with the country's code at least eleven. */
const countries: readonly Country[] = [
  { code: "BJ", callingCode: "229", example: "01 97 12 34 56", timeZone: "Africa/Porto-Novo" },
  { code: "BF", callingCode: "226", example: "70 12 34 56", timeZone: "Africa/Ouagadougou" },
  { code: "CI", callingCode: "225", example: "07 01 02 03 04", timeZone: "Africa/Abidjan" },
  { code: "GW", callingCode: "245", example: "95 512 34 56", timeZone: "Africa/Bissau" },
  { code: "ML", callingCode: "223", example: "65 12 34 56", timeZone: "Africa/Bamako" },
  { code: "NE", callingCode: "227", example: "93 12 34 56", timeZone: "Africa/Niamey" },
  senegal,
  { code: "TG", callingCode: "228", example: "90 12 34 56", timeZone: "Africa/Lome" },
];

/** For an installation that names no other. */
export const countryDefault = senegal;

export const countryCodes: readonly string[] = countries.map(({ code }) => code);

export function findCountry(code: string): Country | undefined {
  return countries.find((country) => country.code === code);
}

/** Where somebody is, for what they type and what they read. */
export interface Place {
  readonly country: Country;
  readonly timeZone: string;
}

export function placeOf(country: Country, timeZone: string | null = null): Place {
  return { country, timeZone: timeZone ?? country.timeZone };
}

/** Whose number this is, told by how it begins; undefined outside the union. */
export function countryOfMsisdn(digits: string): Country | undefined {
  return countries.find(({ callingCode }) => digits.startsWith(callingCode));
}

/** The whole number of somebody who wrote it as it is dialled at home; undefined when it cannot be one from there. */
export function completeMsisdn(
  { callingCode, example }: Country,
  local: string,
): string | undefined {
  return local.length === example.replaceAll(" ", "").length ? callingCode + local : undefined;
}

/** +221 77 123 45 67: grouped as people there write it, so that it can be compared at a glance. */
export function spellMsisdn(digits: string): string {
  const country = countryOfMsisdn(digits);
  if (country === undefined) return `+${digits}`;
  const local = digits.slice(country.callingCode.length);
  let spelled = "";
  let place = 0;
  for (const sign of country.example) {
    spelled += sign === " " ? " " : (local[place++] ?? "");
  }
  return `+${country.callingCode} ${spelled.trim()}${local.slice(place)}`;
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
