import { expect, test } from "vitest";
import { countryDefault, findCountry } from "./countries.ts";
import { readPhone } from "./read-phone.ts";

const ivoryCoast = findCountry("CI") ?? countryDefault;

test.for([
  ["+221 77 123 45 67", "221771234567"],
  ["00221-77.123.45.67", "221771234567"],
  ["221771234567", "221771234567"],
  ["(+225) 07 00 00 00 00", "2250700000000"],
  ["+33\u00a06\u202f12 34 56 78", "33612345678"],
  ["+45 12 34 56 78", "4512345678"],
])("%j is %s", ([typed, msisdn]) => {
  expect(readPhone(typed ?? "", countryDefault)).toEqual({ msisdn, isCompleted: false });
});

test.for([
  ["77 123 45 67", countryDefault, "221771234567"],
  ["07.01.02.03.04", ivoryCoast, "2250701020304"],
] as const)("%j is dialled at home", ([typed, country, msisdn]) => {
  expect(readPhone(typed, country)).toEqual({ msisdn, isCompleted: true });
});

test.for([
  ["", "missing"],
  [" . - ", "missing"],
  ["77 123 45 6", "withoutCountry"],
  ["0700000000", "withoutCountry"],
  ["+221 77 123 45 67 89 01 23", "wrong"],
  ["+1234567", "wrong"],
  ["2217712345x7", "wrong"],
  ["++221771234567", "wrong"],
  ["٢٢١٧٧١٢٣٤٥٦٧", "wrong"],
  ["2217712345671234567", "wrong"],
])("%j is %s", ([typed, problem]) => {
  expect(readPhone(typed ?? "", countryDefault)).toEqual({ problem });
});
