import { describe, expect, test } from "vitest";
import {
  formatAmount,
  formatMoment,
  formatMovement,
  formatShortMoment,
  formatTime,
  formatWait,
  initialsOf,
} from "../pages/format.ts";
import { formatExpiry, maskPhone, toMessageText } from "./format.ts";
import { en } from "./words/en.ts";
import { fr } from "./words/fr.ts";

const now = new Date("2026-11-15T14:44:00.000Z");
const dakar = "Africa/Dakar";
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

describe("amounts", () => {
  test.for([
    [0, "0 F CFA", "XOF 0"],
    [1, "1 F CFA", "XOF 1"],
    [25_000, "25 000 F CFA", "XOF 25,000"],
    [200_000_000, "200 000 000 F CFA", "XOF 200,000,000"],
    [-1_500, "−1 500 F CFA", "−XOF 1,500"],
  ] as const)("%i is %s and %s, with non-breaking spaces only", ([francs, french, english]) => {
    expect(formatAmount(fr, francs)).toBe(french.replaceAll(" ", "\u00a0"));
    expect(formatAmount(en, francs)).toBe(english.replaceAll(" ", "\u00a0"));
  });

  test("in a history what came in has a plus", () => {
    expect(formatMovement(en, 5_000)).toBe("+XOF\u00a05,000");
    expect(formatMovement(en, -5_000)).toBe("−XOF\u00a05,000");
  });
});

describe("times, in words and in the company's time", () => {
  test.for([
    [58 * 60 + 59, "Expire à 15:42 GMT (dans 58 minutes)", "Expires at 15:42 GMT (in 58 minutes)"],
    [3_600, "Expire à 15:44 GMT (dans 1 heure)", "Expires at 15:44 GMT (in 1 hour)"],
    [
      2 * 3_600 + 60,
      "Expire à 16:45 GMT (dans 2 heures 1 minute)",
      "Expires at 16:45 GMT (in 2 hours 1 minute)",
    ],
    [
      59,
      "Expire à 14:44 GMT (dans moins d’une minute)",
      "Expires at 14:44 GMT (in less than a minute)",
    ],
    [86_400, "Expire le 16 novembre 2026 à 14:44 GMT", "Expires on 16 November 2026 at 14:44 GMT"],
  ] as const)("%i seconds left: %s", ([left, french, english]) => {
    expect(plain(formatExpiry(fr, dakar, now, later(left)))).toBe(french);
    expect(plain(formatExpiry(en, dakar, now, later(left)))).toBe(english);
  });

  test("a moment, and a short one for lists", () => {
    expect(plain(formatMoment(fr, dakar, now))).toBe("15 novembre 2026 à 14:44 GMT");
    expect(plain(formatMoment(en, dakar, now))).toBe("15 November 2026 at 14:44 GMT");
    expect(plain(formatShortMoment(fr, dakar, now))).toBe("15 nov. 2026, 14:44 GMT");
  });

  test("an hour later to the east, on another day too, and the zone is named", () => {
    const late = new Date("2026-12-31T23:30:00.000Z");

    for (const zone of ["Africa/Porto-Novo", "Africa/Niamey"]) {
      expect(plain(formatTime(zone, now))).toBe("15:44 GMT+1");
      expect(plain(formatMoment(fr, zone, late))).toBe("1 janvier 2027 à 00:30 GMT+1");
    }
    expect(plain(formatMoment(fr, dakar, late))).toBe("31 décembre 2026 à 23:30 GMT");
  });

  test("a wait is counted in seconds, then in minutes that are not too few", () => {
    expect(plain(formatWait(fr, 1))).toBe("1 seconde");
    expect(plain(formatWait(fr, 24))).toBe("24 secondes");
    expect(plain(formatWait(fr, 121))).toBe("3 minutes");
    expect(plain(formatWait(en, 1))).toBe("1 second");
  });
});

test("a message holds nothing that would double its price", () => {
  expect(toMessageText(`25\u00a0000\u00a0F\u00a0CFA, moins d’une minute`)).toBe(
    "25 000 F CFA, moins d'une minute",
  );
});

test("of a phone number only the last two digits are shown", () => {
  expect(maskPhone("221771234567")).toBe("••\u00a0••\u00a0••\u00a067");
});

test.for([
  ["Boutique Awa", "BA"],
  ["  l'épicerie du coin ", "LÉ"],
  ["Demo", "D"],
  ["4G-Shop", "4S"],
  ["🐚", ""],
] as const)("the initials of %j are %j", ([name, initials]) => {
  expect(initialsOf(name)).toBe(initials);
});

function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
