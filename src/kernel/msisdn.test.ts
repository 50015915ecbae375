import { expect, test } from "vitest";
import { isMsisdn, msisdnProblem } from "./msisdn.ts";

test("a number has 8 to 15 digits and a country code", () => {
  for (const good of ["12345678", "33612345678", "+221771234567", "123456789012345"])
    expect(isMsisdn(good), good).toBe(true);
  for (const bad of [
    "1234567",
    "1234567890123456",
    "0700000000",
    "+0012345678",
    "22177123456x",
    "",
  ])
    expect(isMsisdn(bad), bad).toBe(false);
});

test("of eleven digits only those of Benin and Côte d'Ivoire are refused: there, numbers have ten after the code", () => {
  const codes = Array.from({ length: 900 }, (_, index) => String(100 + index));
  const refused = codes.filter((code) => !isMsisdn(`${code}97123456`));
  expect(refused).toEqual(["225", "229"]);
  for (const code of codes)
    for (const local of ["9712345", "971234567", "0197123456"])
      expect(isMsisdn(code + local), code + local).toBe(true);
});

test("an old number is told how it is written now, in both languages, and any other is told nothing", () => {
  expect(msisdnProblem("+22997123456")?.en).toContain("Write 01 before the eight, such as +229 01");
  expect(msisdnProblem("22570102030")?.fr).toContain("Écrivez 01, 05 ou 07 devant les huit");
  expect(msisdnProblem(" 22570102030")?.en).toContain("Côte d’Ivoire");
  for (const other of ["2290197123456", "22870102030", "2257010203", "225701020304"])
    expect(msisdnProblem(other), other).toBeUndefined();
});
