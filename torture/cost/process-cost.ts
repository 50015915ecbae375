import { readFileSync } from "node:fs";

/** Of Linux, on every machine of today. */
const ticksPerSecond = 100;

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended, or this is no Linux.
    return "";
  }
}

/** CPU that all threads of a process have used, those that have ended too, in milliseconds. */
export function processMs(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, "")
    .split(" ");
  return ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1_000) / ticksPerSecond;
}

/** The same of its main thread alone, more exactly. */
export function mainThreadMs(pid: number): number {
  return Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(" ", 1)[0] || 0) / 1e6;
}

/** For how long the thread that asks could have gone on and had to wait for a CPU. */
export function ownDelayMs(): number {
  return Number(read("/proc/thread-self/schedstat").split(" ", 2)[1] || 0) / 1e6;
}

/** The most memory that it ever had, in megabytes. */
export function peakMb(pid: number): number {
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024);
}
