import { expect, test } from "vitest";
import { describeFindings } from "./describe.ts";

test("what is wrong with a file is named by its lines, and counted", () => {
  const finding = (line: number | null) => ({
    line,
    field: null,
    code: "x",
    message: { en: "Mend it.", fr: "À corriger." },
  });
  const end = (lines: readonly (number | null)[]) =>
    describeFindings("pay.csv", lines.map(finding)).split("\n").at(-1);

  expect(end([2])).toMatch(/^1 problem in 1 row of pay\.csv\. Nothing was sent\./);
  expect(end([2, 2, 3])).toMatch(/^3 problems in 2 rows of pay\.csv\./);
});
