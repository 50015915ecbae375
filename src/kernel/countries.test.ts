import { expect, test } from "vitest";
import {
  completeMsisdn,
  countryCodes,
  countryOfMsisdn,
  findCountry,
  isTimeZone,
  spellMsisdn,
} from "./countries.ts";
import { isMsisdn } from "./msisdn.ts";

test("a number as it is dialled at home is told from a whole one by its length, in every country", () => {
  expect(countryCodes).toHaveLength(8);
  for (const code of countryCodes) {
    const country = findCountry(code);
    if (country === undefined) throw new Error(code);
    const local = country.example.replaceAll(" ", "");
    const whole = completeMsisdn(country, local) ?? "";

    expect(local.length, code).toBeLessThan(11);
    expect(whole.length, code).toBeGreaterThan(10);
    expect(isMsisdn(whole), code).toBe(true);
    expect(countryOfMsisdn(whole)).toBe(country);
    expect(spellMsisdn(whole)).toBe(`+${country.callingCode} ${country.example}`);
    expect(completeMsisdn(country, local.slice(1)), code).toBeUndefined();
    expect(isTimeZone(country.timeZone), code).toBe(true);
  }
});

test.for([
  ["33612345678", "+33612345678"],
  ["22997123456", "+229 97 12 34 56"],
  ["221771234567890", "+221 77 123 45 67890"],
])("%s is spelled %s", ([digits, spelled]) => {
  expect(spellMsisdn(digits ?? "")).toBe(spelled);
});

test("what is no time zone is refused", () => {
  for (const name of ["", "Dakar", "Africa/Nowhere", "15"])
    expect(isTimeZone(name), name).toBe(false);
});
