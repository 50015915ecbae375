import { url as debuggerUrl } from "node:inspector";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { activities } from "../kernel/activity-board.ts";
import { packageRoot } from "../kernel/root.ts";
import { countStall, type Stall } from "../kernel/stalls.ts";

/** Several in the time after which a thread is taken for blocked. */
const beatEveryMs = 50;
const startAgainMs = 1_000;
const threadMemoryMb = 32;

export interface WatchdogOptions {
  readonly logger: Logger;
  readonly blockedMaxMs: number;
}

/** What its thread is told. */
export interface WatchOptions {
  /** Of the activities. */
  readonly memory: SharedArrayBuffer;
  /** 0: the process is never ended for that. */
  readonly blockedMaxMs: number;
}

export interface Watchdog {
  /** The process ends within this time, whatever its main thread does meanwhile. */
  stopWithin(ms: number): void;
}

/** Has a thread of its own watch this one: see watch.ts. For as long as the process lives. */
export function startWatchdog({ logger, blockedMaxMs }: WatchdogOptions): Watchdog {
  const program = join(packageRoot, "dist/src/processes/watch.js");
  const { memory } = activities;
  // Whoever looks at the program step by step blocks it on purpose.
  const isDebugged = debuggerUrl() !== undefined;
  const workerData: WatchOptions = { memory, blockedMaxMs: isDebugged ? 0 : blockedMaxMs };
  const start = () => {
    const thread = new Worker(program, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
    });
    thread.on("message", (stall: Stall) => {
      const { what, companyId, ...measured } = stall;
      const whose = companyId === "" ? {} : { companyId };
      logger.warn(
        { during: what || "unknown", ...whose, ...measured },
        "the event loop was blocked",
      );
      countStall(stall);
    });
    thread.on("error", (error) => {
      logger.error({ err: error }, "the watchdog failed; it is started again");
      setTimeout(start, startAgainMs).unref();
    });
    // Last, because to listen to it would keep this process going.
    thread.unref();
  };
  start();
  setInterval(() => activities.beat(), beatEveryMs).unref();
  return { stopWithin: (ms) => activities.stopWithin(ms) };
}
