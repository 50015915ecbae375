import { expect, test } from "vitest";
import { countryDefault, findCountry } from "./countries.ts";
import { readPhone, readSoughtPhone } from "./read-phone.ts";

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
  ["+225 70 10 20 30", "oldIvoryCoast"],
  ["0022997123456", "oldBenin"],
  ["22997123456", "oldBenin"],
  ["٢٢١٧٧١٢٣٤٥٦٧", "wrong"],
  ["2217712345671234567", "wrong"],
])("%j is %s", ([typed, problem]) => {
  expect(readPhone(typed ?? "", countryDefault)).toEqual({ problem });
});

test("eight digits as they were dialled at home are named as old there, and nowhere else", () => {
  const problemIn = (code: string) => readPhone("97 12 34 56", findCountry(code) ?? countryDefault);

  expect(problemIn("BJ")).toEqual({ problem: "oldBenin" });
  expect(problemIn("CI")).toEqual({ problem: "oldIvoryCoast" });
  expect(problemIn("SN")).toEqual({ problem: "withoutCountry" });
  expect(problemIn("TG")).toEqual({ msisdn: "22897123456", isCompleted: true });
});

test("who looks for an old number finds what was paid to it", () => {
  expect(readSoughtPhone("+229 97 12 34 56", countryDefault)).toBe("22997123456");
  expect(readSoughtPhone("77 123 45 67", countryDefault)).toBe("221771234567");
  expect(readSoughtPhone("x", countryDefault)).toBeUndefined();
});
