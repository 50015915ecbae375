import cluster, { type Worker } from "node:cluster";
import { Channel } from "./channel.ts";
import { ProcessNotStarted } from "./errors.ts";

/** A process that this one has started, from its start to its end. */
export class Child {
  readonly channel: Channel;
  /** What it said when it was ready; rejects when it ended before. */
  readonly ready: Promise<unknown>;
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  readyAtMs: number | undefined;
  hasEnded = false;
  /** It was told to go: its end is no news. */
  isLeaving = false;
  readonly #worker: Worker;
  #isListening = false;

  constructor(assignment: object) {
    this.#worker = cluster.fork();
    this.channel = new Channel(this.#worker);
    let complaint: string | undefined;
    this.channel.on("failed", (reason) => {
      complaint = String(reason);
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once("exit", (code: number, signal: string | null) => {
        this.hasEnded = true;
        resolve(signal ?? `exit code ${code}`);
      });
    });
    const isReady = new Promise((resolve) => {
      this.channel.on("ready", (value) => {
        this.readyAtMs = performance.now();
        resolve(value);
      });
    });
    const endedEarly = this.ended.then((ending) => {
      throw new ProcessNotStarted(
        complaint ?? `One of the processes ended before it was ready, by ${ending}.`,
      );
    });
    this.ready = Promise.race([isReady, endedEarly]);
    // Whoever waits for it hears of it; nobody has to.
    this.ready.catch(() => {});
    endedEarly.catch(() => {});
    // Without it, a process that cannot be told anything any more would end this one.
    this.#worker.on("error", () => {});
    // What is said before it listens would be lost.
    this.channel.on("listening", () => {
      this.#isListening = true;
      void this.channel.tell("begin", assignment);
    });
  }

  get pid(): number {
    return this.#worker.process.pid ?? 0;
  }

  /** Asks it to go: at once, with what it has in hand, or when nobody needs it any longer. */
  leave(how: "stop" | "retire"): void {
    this.isLeaving = true;
    if (this.#isListening) void this.channel.tell(how);
    else this.kill();
  }

  kill(): void {
    this.isLeaving = true;
    this.#worker.process.kill("SIGKILL");
  }
}
