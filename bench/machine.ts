import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { rounded } from "./report.ts";

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryMb: number;
  readonly system: string;
  readonly node: string;
  /** Processes that wanted a core in the minute before the run. */
  readonly loadBefore: number;
}

/** Others at work beside the bench take more from the contender that needs more processes. */
const quietLoadPerCore = 0.25;

export function describeMachine(): Machine {
  const [cpu] = cpus();
  return {
    cores: cpus().length,
    cpu: cpu?.model.trim() ?? "unknown",
    memoryMb: Math.round(totalmem() / 2 ** 20),
    system: `${platform()} ${arch()}`,
    node: process.version,
    loadBefore: rounded(loadavg()[0] ?? 0, 2),
  };
}

export function isBusy({ cores, loadBefore }: Machine): boolean {
  return loadBefore > quietLoadPerCore * cores;
}
