import {
  type CodePurpose,
  type CodeRefused,
  codeSendPauseSeconds,
  codeSendsMax,
  codeSendsPerPhoneMax,
  codeSendsWindowSeconds,
} from "./one-time-code.ts";

interface Send {
  readonly purpose: string;
  readonly is_used: boolean;
  readonly age_seconds: number;
}

export interface SendsVerdict {
  readonly refusal: CodeRefused | undefined;
  readonly sendsLeft: number;
  readonly resendInSeconds: number;
}

/**
 * Whether a phone may be sent another code for this purpose, judged by what it was sent within the hour,
 * newest first. A code that was used does not count against its purpose: whoever used it holds the phone,
 * and a payment that failed may be tried again. It does count against the phone.
 */
export function judgeSends(sends: readonly Send[], purpose: CodePurpose): SendsVerdict {
  const ofPurpose = sends.filter((send) => send.purpose === purpose);
  const unused = ofPurpose.filter((send) => !send.is_used);
  const waits: readonly [CodeRefused["limit"], number][] = [
    ["pause", waitFor(ofPurpose[0], codeSendPauseSeconds)],
    ["purpose", waitFor(unused[codeSendsMax - 1], codeSendsWindowSeconds)],
    ["phone", waitFor(sends[codeSendsPerPhoneMax - 1], codeSendsWindowSeconds)],
  ];
  // The longest wait is the one to name: after a shorter one the answer would be no again.
  const [limit, retryInSeconds] = waits.reduce((a, b) => (b[1] > a[1] ? b : a));
  const room = Math.min(codeSendsMax - unused.length, codeSendsPerPhoneMax - sends.length);
  return {
    refusal: retryInSeconds > 0 ? { kind: "refused", limit, retryInSeconds } : undefined,
    sendsLeft: Math.max(0, room),
    resendInSeconds: retryInSeconds,
  };
}

/** Whole seconds until this send is old enough; 0 when there is none, or when it is. */
function waitFor(send: Send | undefined, ageMin: number): number {
  return send === undefined ? 0 : Math.max(0, Math.ceil(ageMin - send.age_seconds));
}
