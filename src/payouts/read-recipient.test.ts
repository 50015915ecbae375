import { expect, test } from "vitest";
import { countryDefault, findCountry } from "../kernel/countries.ts";
import { readRecipient } from "./read-recipient.ts";

const ivoryCoast = findCountry("CI") ?? countryDefault;

test.for([
  ["221771234567", "221771234567"],
  ["+221 77 123 45 67", "221771234567"],
  ["00221771234567", "221771234567"],
  ["221771234567.0", "221771234567"],
  ["221771234567,00", "221771234567"],
  ["\u00a0221\u202f77 123 45 67 ", "221771234567"],
])("%j is %s", ([typed, msisdn]) => {
  expect(readRecipient(typed ?? "", countryDefault)).toEqual({ msisdn, isCompleted: false });
});

test.for([
  ["77 123 45 67", countryDefault, "221771234567"],
  ["771234567.0", countryDefault, "221771234567"],
  ["0701020304", ivoryCoast, "2250701020304"],
] as const)("%j is completed by the country, and shown", ([typed, country, msisdn]) => {
  expect(readRecipient(typed, country)).toEqual({ msisdn, isCompleted: true });
});

test.for([
  ["", countryDefault, "missing"],
  ["2,21771E+11", countryDefault, "scientific"],
  ["2.21771E+11", countryDefault, "scientific"],
  ["2,21771234567e+11", countryDefault, "scientific"],
  ["2E+11", countryDefault, "scientific"],
  ["701020304", ivoryCoast, "zeroLost"],
  ["7 01 02 03 04", ivoryCoast, "zeroLost"],
  ["70102030", ivoryCoast, "oldIvoryCoast"],
  ["+229 97 12 34 56", ivoryCoast, "oldBenin"],
  ["0771234567", countryDefault, "withoutCountry"],
  ["221771234567.5", countryDefault, "wrong"],
  ["awa", countryDefault, "wrong"],
  ["22177123456O", countryDefault, "wrong"],
] as const)("%j is refused", ([typed, country, problem]) => {
  expect(readRecipient(typed, country)).toEqual({ problem });
});
