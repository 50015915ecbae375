import {
  type CodeKey,
  codeLifetimeSeconds,
  codeTriesMax,
  kindOf,
  wrongTriesMax,
  wrongTriesWindowSeconds,
} from "./one-time-code.ts";

export interface Send {
  readonly purpose: string;
  readonly browser_hash: Buffer | null;
  readonly is_known: boolean;
  readonly tries: number;
  readonly is_right: boolean;
  readonly is_used: boolean;
  readonly age_seconds: number;
}

/** Who asks for a code. */
export interface Asker extends Pick<CodeKey, "purpose" | "browser"> {
  /** Whether the phone has proven before that it belongs to this browser. */
  readonly isKnown: boolean;
}

/** After so many wrong tries within fifty days, how long after the last of them no new code is sent. */
const pauses = [
  { wrongTries: 25, seconds: 48 * 3_600 },
  { wrongTries: 20, seconds: 12 * 3_600 },
  { wrongTries: 15, seconds: 3 * 3_600 },
  { wrongTries: 10, seconds: 1_800 },
  { wrongTries: 5, seconds: 300 },
] as const;

/**
 * In how many seconds a code may be sent again after wrong ones were typed. It is decided when a code is sent, never when
 * one is typed: a code in hand keeps its five tries, whatever strangers do meanwhile.
 *
 * All browsers that never proved to belong to the phone count together, so that new ones do not begin at zero. A known
 * browser counts alone, and so do the wallet and payments: an attack on one does not lock the other out. Codes typed
 * correctly in the end count for nothing.
 */
export function waitAfterGuesses(sends: readonly Send[], asker: Asker): number {
  const pool = sends.filter(
    (send) =>
      kindOf(send.purpose) === kindOf(asker.purpose) &&
      !send.is_right &&
      (asker.isKnown ? send.is_known && isOwn(send, asker) : !send.is_known),
  );
  const wrongTries = pool.reduce((sum, send) => sum + send.tries, 0);
  const pause = pauses.find((step) => wrongTries >= step.wrongTries)?.seconds ?? 0;
  const lastTried = Math.min(...pool.flatMap((send) => (send.tries > 0 ? send.age_seconds : [])));
  return Math.max(0, Math.ceil(pause - lastTried), waitForRoom(pool));
}

/**
 * Until a whole code fits under the maximum of the fifty days. Codes that can still be tried count as if all their tries were
 * wrong: however many are sent before the first is tried, the maximum holds.
 */
function waitForRoom(pool: readonly Send[]): number {
  const usedAfter = (seconds: number) =>
    pool.reduce((sum, { age_seconds, tries }) => {
      const age = age_seconds + seconds;
      if (age < codeLifetimeSeconds) return sum + codeTriesMax;
      return age < wrongTriesWindowSeconds ? sum + tries : sum;
    }, 0);
  const changes = pool.flatMap(({ age_seconds }) =>
    [codeLifetimeSeconds, wrongTriesWindowSeconds].map((age) => Math.ceil(age - age_seconds)),
  );
  const moments = [0, ...changes.filter((seconds) => seconds > 0)].toSorted((a, b) => a - b);
  return moments.find((seconds) => usedAfter(seconds) + codeTriesMax <= wrongTriesMax) ?? 0;
}

export function isOwn(send: Pick<Send, "browser_hash">, { browser }: Pick<Asker, "browser">) {
  return send.browser_hash?.equals(browser) === true;
}
