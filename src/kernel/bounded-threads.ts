import { join } from "node:path";
import { type Transferable, Worker } from "node:worker_threads";
import { ThreadExceeded } from "./errors.ts";
import { packageRoot } from "./root.ts";

export interface ThreadLimits {
  readonly timeMaxMs: number;
  /** Of the thread's objects. */
  readonly memoryMaxMb: number;
}

/**
 * Does work on what strangers have sent in threads of their own, of bounded memory and time: nothing that a file holds holds up the
 * event loop or ends the process. Each thread answers one question and ends. Few at once; the others wait in line.
 */
export class BoundedThreads<Question, Answer> {
  readonly #program: string;
  readonly #threadsMax: number;
  readonly #waiting: (() => void)[] = [];
  #threads = 0;

  /** Each thread has a core to itself, and its memory. */
  constructor(program: string, threadsMax: number) {
    this.#program = join(packageRoot, program);
    this.#threadsMax = threadsMax;
  }

  /** Throws ThreadExceeded, and any other error when the thread ends without an answer. */
  async ask(
    question: Question,
    handedOver: readonly Transferable[],
    limits: ThreadLimits,
  ): Promise<Answer> {
    if (this.#threads >= this.#threadsMax)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#threads += 1;
    try {
      return await this.#run(question, handedOver, limits);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#threads -= 1;
      else next();
    }
  }

  #run(
    question: Question,
    handedOver: readonly Transferable[],
    { timeMaxMs, memoryMaxMb }: ThreadLimits,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const thread = new Worker(this.#program, {
        workerData: question,
        transferList: [...handedOver],
        resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb },
      });
      const limit = setTimeout(() => {
        reject(new ThreadExceeded(`more than ${timeMaxMs} ms`));
        void thread.terminate();
      }, timeMaxMs);
      thread.once("message", resolve);
      thread.once("error", (error: NodeJS.ErrnoException) => {
        const isTooLarge = error.code === "ERR_WORKER_OUT_OF_MEMORY";
        reject(isTooLarge ? new ThreadExceeded(`more than ${memoryMaxMb} MB`) : error);
      });
      thread.once("exit", () => {
        clearTimeout(limit);
        reject(new Error("the thread ended without an answer"));
      });
    });
  }
}
