import { describe, expect, test } from "vitest";
import { browser } from "../../test/codes.ts";
import { judgeSends } from "./code-limits.ts";
import type { Send } from "./guess-limits.ts";

const yearSeconds = 365 * 86_400;
const combinations = 1_000_000;

/** An attacker who knows the rules: asks for a code, in a new browser, whenever it may, and types all its tries. */
function guessForAYear(purpose: "wallet" | "charge:1", codesAtOnce: number): number {
  let sends: { sentAt: number; tries: number }[] = [];
  let guesses = 0;
  let now = 0;
  const look = (): Send[] =>
    sends.map(({ sentAt, tries }) => ({
      purpose,
      browser_hash: null,
      is_known: false,
      is_right: false,
      is_used: false,
      tries,
      age_seconds: now - sentAt,
    }));
  while (now < yearSeconds) {
    for (let sent = 0; sent < codesAtOnce; sent += 1) {
      const asker = { purpose, browser: browser(), isKnown: false };
      if (judgeSends(look(), asker).refusal !== undefined) break;
      sends.unshift({ sentAt: now, tries: 0 });
    }
    for (const send of sends.filter(({ tries }) => tries === 0)) {
      send.tries = 5;
      guesses += 5;
    }
    sends = sends.filter(({ sentAt }) => now - sentAt < 51 * 86_400);
    const asker = { purpose, browser: browser(), isKnown: false };
    now += Math.max(1, judgeSends(look(), asker).resendInSeconds);
  }
  return guesses;
}

describe("the chance to guess", () => {
  test.each([1, 6, 100])(
    "a thousand phones attacked all year, %i codes at once: less than one wallet",
    (codesAtOnce) => {
      const perPhone =
        guessForAYear("wallet", codesAtOnce) + guessForAYear("charge:1", codesAtOnce);

      expect(perPhone).toBeGreaterThan(600);
      expect(perPhone).toBeLessThanOrEqual(2 * 400);
      expect((1_000 * perPhone) / combinations).toBeLessThan(1);
    },
  );
});

describe("the wait", () => {
  const wrongCodes = (count: number): Send[] =>
    Array.from({ length: count }, (_, index) => ({
      purpose: "wallet",
      browser_hash: browser("a stranger's"),
      is_known: false,
      is_right: false,
      is_used: false,
      tries: 5,
      age_seconds: 400 + 1_000 * index,
    }));

  test.each([
    [0, 0],
    [1, 0],
    [2, 1_400],
    [3, 3 * 3_600 - 400],
    [4, 12 * 3_600 - 400],
    [5, 48 * 3_600 - 400],
    [9, 48 * 3_600 - 400],
    [10, 50 * 86_400 - 9_400],
  ])("after %i wrong codes: %i seconds", (count, seconds) => {
    const asker = { purpose: "wallet", browser: browser(), isKnown: false } as const;

    expect(judgeSends(wrongCodes(count), asker).resendInSeconds).toBe(seconds);
  });

  test("is nobody else's: not of payments, nor of a browser that the phone knows", () => {
    const sends = wrongCodes(10);
    const known = { purpose: "wallet", browser: browser(), isKnown: true } as const;
    const payment = { purpose: "charge:1", browser: browser(), isKnown: false } as const;

    expect(judgeSends(sends, known).refusal).toBeUndefined();
    expect(judgeSends(sends, payment).refusal).toBeUndefined();
  });

  test("a known browser waits for its own wrong tries", () => {
    const own = wrongCodes(3).map((send) => ({
      ...send,
      browser_hash: browser("known"),
      is_known: true,
    }));
    const asker = { purpose: "wallet", isKnown: true } as const;

    expect(judgeSends(own, { ...asker, browser: browser("known") }).refusal?.limit).toBe("guesses");
    expect(judgeSends(own, { ...asker, browser: browser("another") }).refusal).toBeUndefined();
  });
});
