import { expect, test } from "vitest";
import { spellAmount } from "./spell-amount.ts";

test.each([
  [0, "zéro franc CFA", "zero CFA francs"],
  [1, "un franc CFA", "one CFA franc"],
  [21, "vingt et un francs CFA", "twenty-one CFA francs"],
  [71, "soixante et onze francs CFA", "seventy-one CFA francs"],
  [80, "quatre-vingts francs CFA", "eighty CFA francs"],
  [81, "quatre-vingt-un francs CFA", "eighty-one CFA francs"],
  [91, "quatre-vingt-onze francs CFA", "ninety-one CFA francs"],
  [99, "quatre-vingt-dix-neuf francs CFA", "ninety-nine CFA francs"],
  [100, "cent francs CFA", "one hundred CFA francs"],
  [200, "deux cents francs CFA", "two hundred CFA francs"],
  [201, "deux cent un francs CFA", "two hundred and one CFA francs"],
  [1_000, "mille francs CFA", "one thousand CFA francs"],
  [1_005, "mille cinq francs CFA", "one thousand and five CFA francs"],
  [25_000, "vingt-cinq mille francs CFA", "twenty-five thousand CFA francs"],
  [80_000, "quatre-vingt mille francs CFA", "eighty thousand CFA francs"],
  [200_000, "deux cent mille francs CFA", "two hundred thousand CFA francs"],
  [
    476_380,
    "quatre cent soixante-seize mille trois cent quatre-vingts francs CFA",
    "four hundred and seventy-six thousand three hundred and eighty CFA francs",
  ],
  [1_000_000, "un million de francs CFA", "one million CFA francs"],
  [
    2_500_000,
    "deux millions cinq cent mille francs CFA",
    "two million five hundred thousand CFA francs",
  ],
  [200_000_000, "deux cents millions de francs CFA", "two hundred million CFA francs"],
  [1_000_000_001, "un milliard un francs CFA", "one billion and one CFA francs"],
])("%d in letters", (francs, fr, en) => {
  expect(spellAmount("fr", francs)).toBe(fr);
  expect(spellAmount("en", francs)).toBe(en);
});
