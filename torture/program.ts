import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packageRoot } from "../src/kernel/root.ts";

const main = "dist/src/main.js";
/** A timeout only has to catch what hangs: a busy machine takes its time to start a database and a service. */
const readyTimeoutMs = 180_000;

type Environment = Readonly<Record<string, string>>;

/** The compiled program as a person runs it, in a process of its own. Whoever starts it ends it. */
export class Program {
  readonly process: ChildProcess;
  output = "";

  /** `root` is the checkout that it is run from, when that is not this one. */
  constructor(dataDir: string, environment: Environment = {}, root = packageRoot) {
    this.process = spawn(process.execPath, [join(root, main), "serve"], {
      cwd: root,
      env: { PATH: process.env["PATH"], PORT: "0", DATA_DIR: dataDir, ...environment },
    });
    const collect = (chunk: Buffer) => {
      this.output += chunk.toString();
    };
    this.process.stdout?.on("data", collect);
    this.process.stderr?.on("data", collect);
  }

  get url(): string {
    return /Cauri is ready at (\S+)/.exec(this.output)?.[1] ?? "";
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  async ready(): Promise<this> {
    const deadline = Date.now() + readyTimeoutMs;
    while (this.url === "" && this.isRunning && Date.now() < deadline) await sleep(20);
    if (this.url === "") throw new Error(`the service did not start:\n${this.output}`);
    return this;
  }

  /** Signals it and waits for its end; returns the exit code (null when a signal ended it). */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isRunning) {
      const exit = once(this.process, "exit");
      this.process.kill(signal);
      await exit;
    }
    return this.process.exitCode;
  }
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the command line to its end; where `limit` is given, under that limit of the shell's. */
export function runCommand(
  dataDir: string,
  args: readonly string[],
  environment: Environment = {},
  root = packageRoot,
  limit?: string,
): Promise<CommandResult> {
  const program = [process.execPath, join(root, main), ...args];
  const shell = limit === undefined ? [] : ["/bin/sh", "-c", `${limit} && exec "$@"`, "sh"];
  const [file = "", ...others] = [...shell, ...program];
  return new Promise((resolve) => {
    execFile(
      file,
      others,
      { cwd: root, env: { PATH: process.env["PATH"], DATA_DIR: dataDir, ...environment } },
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
