import type { Language } from "../../kernel/language.ts";

const frSmall = [
  "zéro",
  "un",
  "deux",
  "trois",
  "quatre",
  "cinq",
  "six",
  "sept",
  "huit",
  "neuf",
  "dix",
  "onze",
  "douze",
  "treize",
  "quatorze",
  "quinze",
  "seize",
];
const frTens = ["", "", "vingt", "trente", "quarante", "cinquante", "soixante"];

/** Below a hundred. `isLast`: nothing follows, so that quatre-vingts keeps its s. */
function frTwoDigits(value: number, isLast: boolean): string {
  if (value < 17) return frSmall[value] ?? "";
  if (value < 20) return `dix-${frSmall[value - 10]}`;
  if (value === 80) return isLast ? "quatre-vingts" : "quatre-vingt";
  if (value > 80) return `quatre-vingt-${frTwoDigits(value - 80, isLast)}`;
  const tens = value < 70 ? Math.floor(value / 10) : 6;
  const rest = value - tens * 10;
  if (rest === 0) return frTens[tens] ?? "";
  const joint = rest === 1 || rest === 11 ? " et " : "-";
  return `${frTens[tens]}${joint}${frTwoDigits(rest, isLast)}`;
}

function frThreeDigits(value: number, isLast: boolean): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  if (hundreds === 0) return frTwoDigits(rest, isLast);
  const before = hundreds === 1 ? "" : `${frSmall[hundreds]} `;
  if (rest === 0) return `${before}cent${hundreds > 1 && isLast ? "s" : ""}`;
  return `${before}cent ${frTwoDigits(rest, isLast)}`;
}

const enSmall = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
];
const enTens = [
  "",
  "",
  "twenty",
  "thirty",
  "forty",
  "fifty",
  "sixty",
  "seventy",
  "eighty",
  "ninety",
];

function enThreeDigits(value: number): string {
  if (value < 20) return enSmall[value] ?? "";
  if (value < 100) {
    const tens = enTens[Math.floor(value / 10)];
    return value % 10 === 0 ? `${tens}` : `${tens}-${enSmall[value % 10]}`;
  }
  const hundreds = `${enSmall[Math.floor(value / 100)]} hundred`;
  return value % 100 === 0 ? hundreds : `${hundreds} and ${enThreeDigits(value % 100)}`;
}

/** Millions, thousands, and what is left of them. */
function groupsOf(
  francs: number,
): readonly [billions: number, millions: number, thousands: number, rest: number] {
  return [
    Math.floor(francs / 1_000_000_000),
    Math.floor(francs / 1_000_000) % 1_000,
    Math.floor(francs / 1_000) % 1_000,
    francs % 1_000,
  ];
}

function spellFr(francs: number): string {
  const [billions, millions, thousands, rest] = groupsOf(francs);
  const large = (value: number, word: string) =>
    value === 0 ? [] : [`${frThreeDigits(value, true)} ${word}${value > 1 ? "s" : ""}`];
  const parts = [
    ...large(billions, "milliard"),
    ...large(millions, "million"),
    ...(thousands === 0
      ? []
      : [thousands === 1 ? "mille" : `${frThreeDigits(thousands, false)} mille`]),
    ...(rest === 0 && francs > 0 ? [] : [frThreeDigits(rest, true)]),
  ];
  const isRound = francs >= 1_000_000 && francs % 1_000_000 === 0;
  return `${parts.join(" ")} ${isRound ? "de " : ""}franc${francs < 2 ? "" : "s"} CFA`;
}

function spellEn(francs: number): string {
  const [billions, millions, thousands, rest] = groupsOf(francs);
  const large = (value: number, word: string) =>
    value === 0 ? [] : [`${enThreeDigits(value)} ${word}`];
  const last = rest === 0 && francs > 0 ? [] : [enThreeDigits(rest)];
  const joint = francs > 1_000 && rest > 0 && rest < 100 ? ["and"] : [];
  const parts = [
    ...large(billions, "billion"),
    ...large(millions, "million"),
    ...large(thousands, "thousand"),
    ...joint,
    ...last,
  ];
  return `${parts.join(" ")} CFA ${francs === 1 ? "franc" : "francs"}`;
}

/** An amount in letters, as on a cheque: a zero too many is seen at once. Up to what is below a thousand billions. */
export function spellAmount(language: Language, francs: number): string {
  return language === "fr" ? spellFr(francs) : spellEn(francs);
}
