import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const endPatienceMs = 20_000;

/** A shell as a reader has one: what one block sets, the next one finds. It ends with the first command that fails. */
export class Terminal {
  /** What was printed since the last block began, or since it was last looked at. */
  output = "";
  readonly #shell: ChildProcess;
  #isBusy = false;

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.#shell = spawn("bash", ["--noprofile", "--norc", "-e"], {
      cwd: folder,
      env: environment,
      // A group of its own: what it leaves running is ended with it.
      detached: true,
    });
    this.#shell.stdin?.write("exec 2>&1\n");
    this.#shell.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.output += text;
    });
  }

  get isOver(): boolean {
    return this.#shell.exitCode !== null || this.#shell.signalCode !== null;
  }

  /** Executes the block; unless it keeps running, until it has ended. */
  async execute(text: string, keepsRunning: boolean, timeoutMs: number): Promise<void> {
    if (this.#isBusy) throw new Error("this terminal is busy with a command that keeps running");
    this.output = "";
    const mark = `ended ${randomUUID()}`;
    // Nothing of it reads the lines that follow.
    const quoted = `'${text.replaceAll("'", `'\\''`)}'`;
    this.#shell.stdin?.write(`eval ${quoted} </dev/null\necho '${mark}'\n`);
    this.#isBusy = keepsRunning;
    if (keepsRunning) return;
    await this.until(() => this.output.includes(mark), timeoutMs);
    this.output = this.output.replace(`${mark}\n`, "");
  }

  /** Until it holds; what was printed is in the error when it does not. */
  async until(holds: () => boolean, timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!holds()) {
      if (this.isOver) throw new Error(`a command failed after it had printed:\n${this.output}`);
      if (Date.now() > deadline)
        throw new Error(`not within ${timeoutMs} ms; it has printed:\n${this.output}`);
      await sleep(20);
    }
  }

  /** Ctrl-C, for everything that runs in it, and then it is closed; who does not hear that is ended. */
  async close(): Promise<void> {
    const { pid } = this.#shell;
    if (pid === undefined) return;
    const exit = this.isOver ? Promise.resolve() : once(this.#shell, "exit");
    this.#shell.stdin?.end();
    for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
      this.#signal(-pid, signal);
      const deadline = Date.now() + endPatienceMs;
      while (this.#signal(-pid, 0) && Date.now() < deadline) await sleep(20);
    }
    await exit;
  }

  /** Whether there was anybody to signal. */
  #signal(group: number, signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(group, signal);
    } catch {
      return false;
    }
  }
}
