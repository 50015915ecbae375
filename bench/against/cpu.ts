import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in these towards programs, whatever the kernel's own clock does. */
const ticksPerSecond = 100;

interface Usage {
  readonly parent: number;
  readonly ticks: number;
  /** Of children that have ended. */
  readonly endedTicks: number;
}

/** CPU time of a process with all of its threads; undefined where there is no /proc. */
export function cpuMsOf(pid: number): number | undefined {
  const usage = usageOf(pid);
  return usage === undefined ? undefined : toMs(usage.ticks);
}

/** CPU time of a process and of all its children, those that have ended too. */
export function cpuMsWithChildren(pid: number): number | undefined {
  const own = usageOf(pid);
  if (own === undefined) return undefined;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => usageOf(Number(name)))
    .filter((usage) => usage?.parent === pid);
  return toMs(
    children.reduce((sum, usage) => sum + (usage?.ticks ?? 0), own.ticks + own.endedTicks),
  );
}

/** The process that started this one. */
export function parentOf(pid: number): number | undefined {
  return usageOf(pid)?.parent;
}

function usageOf(pid: number): Usage | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything. What follows it: state, parent, …, and from the twelfth
    // on the times: user, system, and both of the children that were waited for.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const number = (place: number) => Number(fields[place]);
    return {
      parent: number(1),
      ticks: number(11) + number(12),
      endedTicks: number(13) + number(14),
    };
  } catch {
    // It has just ended, or this system has no /proc.
    return undefined;
  }
}

function toMs(ticks: number): number {
  return (ticks * 1_000) / ticksPerSecond;
}
