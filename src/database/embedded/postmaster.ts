import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "./errors.ts";
import { runToEnd } from "./run.ts";

/** The main process of a running server, as its `postmaster.pid` describes it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** It has finished starting or recovering, and is not shutting down. */
  readonly accepting: boolean;
}

const POLL_MS = 25;
const PS_LIMIT_MS = 10_000;

/** A fast shutdown writes out what is in memory, up to 256 MB of it, on a possibly slow disk. */
const FAST_SHUTDOWN_LIMIT_MS = 30_000;
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 10_000;

/** The live server of this cluster, if there is one. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const content = await readPidFile(cluster);
  const pid = pidIn(content);
  if (pid === undefined || !(await serves(pid, cluster))) return undefined;
  // Lines of the file: pid, data folder, start time, port, socket folder, address, memory, status.
  const lines = content?.split("\n") ?? [];
  return { pid, port: Number(lines[3]), accepting: lines[7]?.trim() === "ready" };
}

/** A zombie counts as dead: in a container nobody may ever collect an orphaned process. */
export function isAlive(pid: number): boolean {
  if (!isInProcessTable(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
}

/**
 * Puts aside a pid file whose number now belongs to some other program (or to a zombie): PostgreSQL
 * would take that one for a running server and refuse to start. A number that is free it handles
 * itself. The file is moved before it is judged again, so that a server which another process
 * started in between gets its file back; while it is away, the shared memory still keeps a second
 * server out.
 */
export async function discardMisleadingPidFile(cluster: string): Promise<void> {
  const judged = await readPidFile(cluster);
  const pid = pidIn(judged);
  if (pid === undefined || !isInProcessTable(pid) || (await serves(pid, cluster))) return;
  const path = join(cluster, "postmaster.pid");
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, "utf8")) !== judged) await link(aside, path);
  } catch (error) {
    // Another process was faster, with the same idea or with a new server.
    if (!["ENOENT", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/** Ends a server in good order and waits for its end; by force when it does not end in time. */
export async function shutDown(pid: number): Promise<void> {
  if (signal(pid, "SIGINT") && (await endsWithin(FAST_SHUTDOWN_LIMIT_MS, pid))) return;
  if (signal(pid, "SIGQUIT") && (await endsWithin(IMMEDIATE_SHUTDOWN_LIMIT_MS, pid))) return;
  if (isAlive(pid)) throw new Error(`PostgreSQL (process ${pid}) did not stop when asked to.`);
}

async function endsWithin(limitMs: number, pid: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw error;
  }
}

function isInProcessTable(pid: number): boolean {
  try {
    return signal(pid, 0);
  } catch (error) {
    if (errorCode(error) === "EPERM") return true;
    throw error;
  }
}

/**
 * The number alone proves nothing after a reboot, and a copied data folder carries the pid file of
 * the original. The command line is readable where the working folder is not: for root in a
 * container, of a process of another user.
 */
async function serves(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === "linux") {
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    return line.includes(`\0-D\0${cluster}\0`);
  }
  const command = { program: "ps", args: ["-ww", "-o", "command=", "-p", String(pid)] };
  const { output } = await runToEnd(command, PS_LIMIT_MS);
  return `${output} `.includes(` -D ${cluster} `);
}

async function readPidFile(cluster: string): Promise<string | undefined> {
  try {
    return await readFile(join(cluster, "postmaster.pid"), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function pidIn(content: string | undefined): number | undefined {
  const pid = Number.parseInt(content ?? "", 10);
  return pid > 0 ? pid : undefined;
}
