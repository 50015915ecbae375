import { expect, test } from "vitest";
import { countryDefault } from "../../../kernel/countries.ts";
import { describeFindings, describeReview } from "./describe.ts";
import { templateCommand } from "./template.ts";

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

test("a row that is left out is named with everything that is wrong with it, and one is not called several", () => {
  const finding = (code: string, message: string) => ({
    line: 9,
    field: null,
    code,
    message: { en: message, fr: message },
  });
  const reading = { count: 1, first: [{ line: 4, typed: "77 123 45 67", read: "+221771234567" }] };
  const account = {
    companyId: "com_1",
    name: "Awa",
    country: countryDefault,
    timeZone: countryDefault.timeZone,
    transferAmount: { min: 1, max: 2 },
    transferFee: { ratePpm: 0, flat: 0, min: 0, max: null },
  };
  const draft = {
    fileHash: "",
    columns: undefined,
    payouts: [],
    findings: [],
    completedPhones: reading,
    readAmounts: reading,
  };
  const review = { count: 1, total: 1, fees: 0, balance: 1, balanceAfter: 0, largest: [] };
  const text = describeReview(
    { file: "pay.csv", draft, account, begun: undefined },
    {
      review,
      payouts: [],
      leftOut: { 9: "AMOUNT_CURRENCY REFERENCE_REPEATED" },
      leftOutFindings: [finding("a", "40 EUR are no francs."), finding("b", "s1 is used twice.")],
      findings: [],
      notIdentified: [7],
      isContinued: false,
      names: new Map(),
    },
  );

  for (const line of [
    "1 row is left out:\n  line 9: 40 EUR are no francs.\n  line 9: s1 is used twice.\n",
    "1 phone number was completed with +221:\n",
    "1 amount was read:\n",
    "1 row is for people who are not fully identified (KYC).\n",
  ])
    expect(text).toContain(line);
});

test("a template is a kind of file that can be filled in, or none", async () => {
  await expect(templateCommand({ output: "pay.ods", language: "fr" })).rejects.toThrow(
    "A template is .csv or .xlsx, and pay.ods is neither.",
  );
});
