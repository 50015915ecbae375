import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { packageRoot } from "../src/kernel/root.ts";

const main = join(packageRoot, "dist/src/main.js");
const readyTimeoutMs = 60_000;

/** A data folder of the test's own; whatever still runs on it at the end is ended, by its id. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-journey-"));
  const dataDir = join(folder, ".cauri");
  onTestFinished(async () => {
    const pid = await postmasterPid(dataDir);
    if (pid !== undefined) await endProcess(pid, "SIGQUIT");
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return dataDir;
}

/** The compiled program as a person runs it, in a process of its own. */
export class Service {
  readonly process: ChildProcess;
  output = "";

  constructor(dataDir: string, environment: Record<string, string> = {}) {
    this.process = spawn(process.execPath, [main, "serve"], {
      cwd: packageRoot,
      env: { PATH: process.env["PATH"], PORT: "0", DATA_DIR: dataDir, ...environment },
    });
    const collect = (chunk: Buffer) => {
      this.output += chunk.toString();
    };
    this.process.stdout?.on("data", collect);
    this.process.stderr?.on("data", collect);
    onTestFinished(() => void this.process.kill("SIGKILL"));
  }

  get url(): string {
    return /Cauri is ready at (\S+)/.exec(this.output)?.[1] ?? "";
  }

  async ready(): Promise<this> {
    const deadline = Date.now() + readyTimeoutMs;
    while (this.url === "" && this.process.exitCode === null && Date.now() < deadline)
      await sleep(20);
    if (this.url === "") throw new Error(`the service did not start:\n${this.output}`);
    return this;
  }

  /** Signals it and waits for its end; returns the exit code (null when a signal ended it). */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const exit = once(this.process, "exit");
      this.process.kill(signal);
      await exit;
    }
    return this.process.exitCode;
  }
}

export async function startProcess(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<Service> {
  return new Service(dataDir, environment).ready();
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the command line to its end. */
export function runCommand(
  dataDir: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { cwd: packageRoot, env: { PATH: process.env["PATH"], DATA_DIR: dataDir, ...environment } },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

export async function postmasterPid(dataDir: string): Promise<number | undefined> {
  try {
    return Number(
      (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0],
    );
  } catch {
    return undefined;
  }
}

/** Signals a process by its id and waits until it is gone. */
export async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  try {
    process.kill(pid, signal);
    for (let tries = 0; tries < 500; tries += 1) {
      process.kill(pid, 0);
      await sleep(20);
    }
  } catch {
    // No such process: that is what was asked for.
  }
}

export async function demoToken(dataDir: string): Promise<string> {
  return (JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")) as { accessToken: string })
    .accessToken;
}

export interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads the fields it expects; a wrong one fails it.
  readonly body: any;
}

export async function call(
  url: string,
  token: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const response = await fetch(url + path, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
  });
  return { status: response.status, body: await response.json() };
}
