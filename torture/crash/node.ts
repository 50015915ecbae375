import { setTimeout as sleep } from "node:timers/promises";
import { Program } from "../program.ts";

const retryMs = 200;

/** A process that is started again whenever it was killed, as a process manager does. */
export class Node {
  readonly name: string;
  readonly #dataDir: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #startLimitMs: number;
  readonly #root: string | undefined;
  #program: Program | undefined;
  #isEnding = false;
  /** Where it was last. */
  url = "";
  /** When it was up and ended though nobody had killed it: that, each as one sentence. */
  readonly deaths: string[] = [];

  constructor(
    name: string,
    dataDir: string,
    settings: Readonly<Record<string, string>>,
    startLimitMs: number,
    root?: string,
  ) {
    this.name = name;
    this.#dataDir = dataDir;
    this.#settings = settings;
    this.#startLimitMs = startLimitMs;
    this.#root = root;
  }

  get pid(): number | undefined {
    return this.#program?.process.pid;
  }

  /** True from when it is ready until it is killed. */
  get isUp(): boolean {
    return this.url !== "" && this.#program?.isRunning === true;
  }

  /** Tries until it is ready: while PostgreSQL is away, a start fails. Throws when that takes too long. */
  async start(): Promise<void> {
    const deadline = performance.now() + this.#startLimitMs;
    for (;;) {
      const program = new Program(this.#dataDir, this.#settings, this.#root);
      this.#program = program;
      try {
        await program.ready();
        this.url = program.url;
        this.#watch(program);
        return;
      } catch (error) {
        if (this.#isEnding) return;
        if (performance.now() > deadline)
          throw new Error(`${this.name} did not start again`, { cause: error });
      }
      await program.end("SIGKILL");
      await sleep(retryMs);
    }
  }

  async kill(): Promise<void> {
    await this.#program?.end("SIGKILL");
    this.url = "";
  }

  /** A process manager starts again what ends by itself; but it should not. */
  #watch(program: Program): void {
    program.process.once("exit", (code, signal) => {
      if (signal === "SIGKILL" || this.#isEnding) return;
      this.url = "";
      this.deaths.push(`${this.name} ended by itself (${code ?? signal}): ${program.output}`);
      void this.start().catch((error: unknown) => this.deaths.push(String(error)));
    });
  }

  /** In good order; null when it had to be killed. */
  async stop(): Promise<number | null> {
    this.#isEnding = true;
    return (await this.#program?.end("SIGTERM")) ?? null;
  }

  /** Whatever it is doing. */
  async destroy(): Promise<void> {
    this.#isEnding = true;
    await this.#program?.end("SIGKILL");
  }
}
