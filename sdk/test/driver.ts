import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { onTestFinished } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { commandOf, type Language } from "../../test/languages.ts";

const programs = { php: "driver.php", python: "driver.py" } as const;

export interface Told {
  readonly kind: string;
  readonly message: string;
  readonly isTemporary: boolean;
  readonly status: number | null;
  readonly code: string | null;
  readonly details: readonly object[] | null;
  readonly docUrl: string | null;
  readonly correlationId: string | null;
  readonly idempotencyKey: string | null;
  readonly existingId: string | null;
  readonly reason: string | null;
  readonly attempts: number | null;
}

export interface Settings {
  readonly url?: string;
  readonly token?: string;
  /** Options of the client. */
  readonly client?: object;
  /** Of lists, no more than these. */
  readonly take?: number;
  /** Of lists, the first page instead. */
  readonly page?: boolean;
}

/** Any shape that the API answers. */
type Value = ReturnType<typeof JSON.parse>;

/** The client of another language, in a process of its own that makes one call after the other. */
export class Driver {
  readonly #process: ChildProcess;
  readonly #lines: Interface;
  readonly #settings: Settings;
  readonly #ended: Promise<never>;
  /** Everything it has said. */
  said = "";

  private constructor(language: Language, settings: Settings) {
    this.#settings = settings;
    this.#process = spawn(
      commandOf(language),
      [join(packageRoot, "sdk/test", programs[language])],
      {
        // What the person at the keyboard has set for their own programs is not asked.
        env: { PATH: process.env["PATH"], CLIENT_FOLDER: join(packageRoot, "sdk", language) },
        stdio: ["pipe", "pipe", "pipe"],
      },
    );
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.said += text;
    });
    this.#ended = once(this.#process, "exit").then(() => {
      throw new Error(`It ended: ${this.said}`);
    });
    this.#ended.catch(() => {});
    this.#lines = createInterface({ input: this.#process.stdout as NodeJS.ReadableStream });
    this.#lines.on("line", (line) => {
      this.said += line;
    });
  }

  static start(language: Language, settings: Settings = {}): Driver {
    const driver = new Driver(language, settings);
    onTestFinished(async () => {
      if (driver.#process.exitCode !== null) return;
      driver.#process.stdin?.end();
      driver.#process.kill();
      await once(driver.#process, "exit");
    });
    return driver;
  }

  /** What a call came to: its value, or what was thrown. */
  async outcome(
    call: string,
    args: readonly unknown[] = [],
    options: object = {},
    settings: Settings = {},
  ): Promise<{ readonly value?: Value; readonly error?: Told }> {
    const whole = { url: "", token: "at_test", client: {}, take: 1_000, ...this.#settings };
    const asked = { ...whole, ...settings, call, args, options };
    const answered = once(this.#lines, "line");
    this.#process.stdin?.write(`${JSON.stringify(asked)}\n`);
    const [line] = (await Promise.race([answered, this.#ended])) as [string];
    return JSON.parse(line);
  }

  /** The value of a call that has to succeed. */
  async call(
    call: string,
    args: readonly unknown[] = [],
    options: object = {},
    settings: Settings = {},
  ): Promise<Value> {
    const { value, error } = await this.outcome(call, args, options, settings);
    if (error !== undefined) throw new Error(`${call}: ${error.kind} ${error.message}`);
    return value;
  }

  /** What a call that has to fail threw. */
  async failure(
    call: string,
    args: readonly unknown[] = [],
    options: object = {},
    settings: Settings = {},
  ): Promise<Told> {
    const { error } = await this.outcome(call, args, options, settings);
    if (error === undefined) throw new Error(`${call} did not fail`);
    return error;
  }
}
