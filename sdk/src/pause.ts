const pauseFirstMs = 500;
const pauseGrownMs = 8_000;

/** Longer each time, and never twice the same: clients that failed together must not come back together. */
export function backOffMs(attempt: number): number {
  const fullMs = Math.min(pauseFirstMs * 2 ** (attempt - 1), pauseGrownMs);
  return fullMs * (0.5 + Math.random() / 2);
}

/** Seconds or a date, as HTTP has it; undefined when it is neither. */
export function readRetryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** How long the service asked to wait; 0 where it did not. */
export function askedMsOf(error: object): number {
  return "retryAfterMs" in error ? Number(error.retryAfterMs ?? 0) : 0;
}

/** True when the time is over, false when the signal came first. */
export function sleep(timeMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve(isOver);
    };
    const stop = () => end(false);
    const timer = setTimeout(() => end(true), timeMs);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted === true) stop();
  });
}
