import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Program } from "./program.ts";

const run = promisify(execFile);

/** What a process holds of the machine's memory, in megabytes; 0 when it is gone. */
export async function memoryOf(program: Program): Promise<number> {
  const pid = String(program.process.pid);
  try {
    return Math.round((await residentKilobytes(pid)) / 1_024);
  } catch (error) {
    if (program.isRunning) throw error;
    return 0;
  }
}

async function residentKilobytes(pid: string): Promise<number> {
  if (process.platform !== "linux")
    return Number((await run("ps", ["-o", "rss=", "-p", pid])).stdout);
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
}
