import { type Asker, isOwn, type Send, waitAfterGuesses } from "./guess-limits.ts";
import {
  type CodeRefused,
  codeSendPauseSeconds,
  codeSendsMax,
  codeSendsWindowSeconds,
} from "./one-time-code.ts";

export interface SendsVerdict {
  readonly refusal: CodeRefused | undefined;
  readonly sendsLeft: number;
  readonly resendInSeconds: number;
}

/**
 * Whether a browser may have another code for this purpose, judged by what the phone was sent, newest first. What
 * other browsers asked for does not count here: how many messages a phone gets in all is its budget's to say. A code
 * that was used does not count against its purpose: whoever used it holds the phone, and a payment that failed may be
 * tried again.
 */
export function judgeSends(sends: readonly Send[], asker: Asker): SendsVerdict {
  const own = sends.filter((send) => isOwn(send, asker) && send.purpose === asker.purpose);
  const unused = own.filter((send) => !send.is_used && send.age_seconds < codeSendsWindowSeconds);
  const waits: readonly [CodeRefused["limit"], number][] = [
    ["pause", waitFor(own[0], codeSendPauseSeconds)],
    ["purpose", waitFor(unused[codeSendsMax - 1], codeSendsWindowSeconds)],
    ["guesses", waitAfterGuesses(sends, asker)],
  ];
  // The longest wait is the one to name: after a shorter one the answer would be no again.
  const [limit, retryInSeconds] = waits.reduce((a, b) => (b[1] > a[1] ? b : a));
  return {
    refusal: retryInSeconds > 0 ? { kind: "refused", limit, retryInSeconds } : undefined,
    sendsLeft: Math.max(0, codeSendsMax - unused.length),
    resendInSeconds: retryInSeconds,
  };
}

/** Whole seconds until this send is old enough; 0 when there is none, or when it is. */
function waitFor(send: Pick<Send, "age_seconds"> | undefined, ageMin: number): number {
  return send === undefined ? 0 : Math.max(0, Math.ceil(ageMin - send.age_seconds));
}
