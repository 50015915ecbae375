import type { AuditProgress } from "../ledger/audit.ts";
import { say } from "./say.ts";

const tellAfterMs = 1_000;
const tellEveryMs = { terminal: 500, lines: 10_000 };

interface ShownProgress {
  readonly onProgress: (progress: AuditProgress) => void;
  readonly stop: () => void;
}

/** Shows on standard error how far an audit is: one line of a terminal, written over, or now and then a line of a log. */
export function showAuditProgress({ isTerminal }: { readonly isTerminal: boolean }): ShownProgress {
  const startedAt = performance.now();
  let last: AuditProgress = { check: "finding and counting what there is to look at", share: 0 };
  const tell = () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const line = progressLine(last, seconds);
    if (isTerminal)
      process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    else say(line);
  };
  const timer = setInterval(tell, isTerminal ? tellEveryMs.terminal : tellEveryMs.lines);
  return {
    onProgress: (progress) => {
      last = progress;
    },
    stop: () => {
      clearInterval(timer);
      if (isTerminal && performance.now() - startedAt > tellAfterMs)
        process.stderr.write("\r\u001b[K");
    },
  };
}

/** The time that is left, by what is done and how long that took: unknown until something is done. */
export function progressLine({ check, share }: AuditProgress, seconds: number): string {
  const done = `${Math.floor(share * 100)} %`.padStart(5);
  const left = share < 0.01 ? "" : `, about ${inWords((seconds * (1 - share)) / share)} left`;
  return `${done} after ${inWords(seconds)}${left}: ${check}`;
}

function inWords(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 90) return `${whole} s`;
  if (whole < 90 * 60) return `${Math.round(whole / 60)} min`;
  return `${Math.floor(whole / 3_600)} h ${Math.round((whole % 3_600) / 60)} min`;
}
