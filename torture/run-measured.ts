import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packageRoot } from "../src/kernel/root.ts";

const lookEveryMs = 20;

export interface MeasuredRun {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The most memory it ever held; 0 where the system does not tell. */
  readonly megabytes: number;
}

/** Runs one command of the command line in a process of its own, and kills it when `mayKill` says so. */
export async function runMeasured(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  mayKill: () => Promise<boolean> = async () => false,
): Promise<MeasuredRun> {
  const child = spawn(process.execPath, [join(packageRoot, "dist/src/main.js"), ...args], {
    env: { PATH: process.env["PATH"], ...environment },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(child, "close");
  let megabytes = 0;
  while (child.exitCode === null && child.signalCode === null) {
    megabytes = Math.max(megabytes, await peakOf(child));
    if (await mayKill()) child.kill("SIGKILL");
    await Promise.race([closed, sleep(lookEveryMs)]);
  }
  await closed;
  return { code: child.exitCode, stdout, stderr, megabytes };
}

/** The most memory that a process ever held, in megabytes. The system keeps the peak, so that looking now and then misses nothing but the last moments. */
export async function peakOf({ pid }: ChildProcess): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
