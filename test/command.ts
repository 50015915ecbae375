import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { packageRoot } from "../src/kernel/root.ts";
import { patience } from "./receiver.ts";

const program = [process.execPath, join(packageRoot, "dist/src/main.js")] as const;

type Environment = Readonly<Record<string, string>>;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A business's own machine: a home folder, and the compiled command as somebody runs it there. */
export class Desk {
  readonly home: string;
  readonly #settings: Environment;

  private constructor(home: string, settings: Environment) {
    this.home = home;
    this.#settings = settings;
  }

  static async make(settings: Environment = {}): Promise<Desk> {
    const home = await mkdtemp(join(tmpdir(), "cauri-desk-"));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    return new Desk(home, settings);
  }

  get credentials(): string {
    return join(this.home, ".config/cauri/credentials.json");
  }

  /** The same machine with other settings of the environment. */
  with(settings: Environment): Desk {
    return new Desk(this.home, { ...this.#settings, ...settings });
  }

  async run(args: readonly string[], input = ""): Promise<Ran> {
    const [file, main] = program;
    const child = this.#spawn(file, [main, ...args]);
    child.stdin?.end(input);
    let [stdout, stderr] = ["", ""];
    child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, stdout, stderr };
  }

  /** Exactly one JSON value: on standard output when it went well, and otherwise on standard error. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads the fields it expects; a wrong one fails it.
  async json(args: readonly string[], input = ""): Promise<{ code: number | null; value: any }> {
    const { code, stdout, stderr } = await this.run([...args, "--json"], input);
    const text = stdout === "" ? (stderr.trim().split("\n").at(-1) ?? "") : stdout;
    return { code, value: JSON.parse(text) };
  }

  /** In a terminal, where somebody types. */
  type(args: readonly string[]): Typing {
    const words = [...program, ...args].map((word) => `'${word}'`).join(" ");
    // `script` is how a process gets a terminal without a package; its arguments differ by system.
    const options =
      process.platform === "darwin"
        ? ["-q", "/dev/null", "sh", "-c", words]
        : ["-qec", words, "/dev/null"];
    return new Typing(this.#spawn("script", options));
  }

  #spawn(file: string, args: readonly string[]): ChildProcess {
    const { PATH } = process.env;
    const env = { PATH, HOME: this.home, ...this.#settings };
    const child = spawn(file, args, { cwd: this.home, env });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }
}

/** Somebody at a terminal: sees what it shows, and types. */
export class Typing {
  shown = "";
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on("data", (chunk: Buffer) => {
      this.shown += chunk.toString();
    });
  }

  async answer(question: string, text: string): Promise<void> {
    await expect.poll(() => this.shown, patience).toContain(question);
    this.#child.stdin?.write(text);
  }

  async end(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, "close");
    return this.#child.exitCode;
  }
}
