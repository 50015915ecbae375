import { completeMsisdn, countryOfMsisdn, findCountry, spellMsisdn } from "../kernel/countries.ts";

/** No number has fewer digits with its country code, in the countries that are known here. */
const wholeDigitsMin = 11;

/**
 * Why a number looks as if its country code were missing or a digit lost; undefined where it does not. It can still be somebody's:
 * short numbers of other countries look the same. `home` is the country of the business, which says what was probably meant.
 */
export function doubtAbout(digits: string, home: string | undefined): string | undefined {
  const country = countryOfMsisdn(digits);
  const meant = suggestionFor(digits, home);
  if (country === undefined)
    return digits.length < wholeDigitsMin
      ? `+${digits} has only ${digits.length} digits and begins with no country code that is known here.${meant}`
      : undefined;
  const expected = country.callingCode.length + country.example.replaceAll(" ", "").length;
  return digits.length === expected
    ? undefined
    : `+${digits} begins with the country code of ${country.code}, whose numbers have ${expected} digits with it; this has ${digits.length}.${meant}`;
}

function suggestionFor(digits: string, home: string | undefined): string {
  const country = home === undefined ? undefined : findCountry(home);
  const whole = country && completeMsisdn(country, digits);
  return whole === undefined ? "" : ` Did you mean ${spellMsisdn(whole)}?`;
}
