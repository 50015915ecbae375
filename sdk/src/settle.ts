import { AbortedError, CauriError, NotSettledError } from "./errors.ts";
import { askedMsOf, sleep } from "./pause.ts";
import { atLeast, type CallOptions } from "./settings.ts";

export interface WaitOptions {
  /** 60 000 unless told otherwise. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const pauseFirstMs = 200;
const pauseMaxMs = 5_000;
/** One read that hangs must not use up the whole wait. */
const readMaxMs = 10_000;

/** Reads until it is settled. What passes (no connection, 429, 503) is waited out; what does not is thrown. */
export async function waitUntil<Thing>(
  read: (options: CallOptions) => Promise<Thing>,
  isSettled: (thing: Thing) => boolean,
  { timeoutMs = 60_000, signal }: WaitOptions = {},
): Promise<Thing> {
  const endMs = performance.now() + atLeast(1, "timeoutMs", timeoutMs);
  let last: Thing | undefined;
  for (let pauseMs = pauseFirstMs; ; pauseMs = Math.min(pauseMs * 1.5, pauseMaxMs)) {
    let cause: unknown;
    let askedMs = 0;
    try {
      const leftMs = Math.min(readMaxMs, Math.max(1, endMs - performance.now()));
      last = await read({
        retries: 0,
        timeoutMs: leftMs,
        ...(signal === undefined ? {} : { signal }),
      });
      if (isSettled(last)) return last;
    } catch (error) {
      if (!(error instanceof CauriError && error.isTemporary)) throw error;
      cause = error;
      askedMs = askedMsOf(error);
    }
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) throw new NotSettledError(last, { cause });
    const isOver = await sleep(Math.min(leftMs, Math.max(pauseMs, askedMs)), signal);
    if (!isOver) throw new AbortedError("The caller's signal ended it.", { cause: signal?.reason });
  }
}
