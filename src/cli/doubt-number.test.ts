import { expect, test } from "vitest";
import { doubtAbout } from "./doubt-number.ts";

test.each([
  [
    "771234567",
    "SN",
    "+771234567 has only 9 digits and begins with no country code that is known here. Did you mean +221 77 123 45 67?",
  ],
  [
    "771234567",
    "CI",
    "+771234567 has only 9 digits and begins with no country code that is known here.",
  ],
  ["70123456", "BF", "Did you mean +226 70 12 34 56?"],
  ["771234567", undefined, "no country code that is known here."],
  ["221771234", "SN", "whose numbers have 12 digits with it; this has 9."],
  ["22507000000001", "CI", "whose numbers have 13 digits with it; this has 14."],
])("%s of a business in %s looks wrong", (digits, home, said) => {
  expect(doubtAbout(digits, home)).toContain(said);
});

test.each(["2250700000000", "221771234567", "22670123456", "33612345678", "14155550123"])(
  "%s does not",
  (digits) => {
    expect(doubtAbout(digits, "SN")).toBeUndefined();
  },
);
