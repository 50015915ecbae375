import { write } from "node:fs";
import { Session } from "node:inspector";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { type Activity, ActivityBoard } from "../kernel/activity-board.ts";
import { causeOf, type Stall, stallMinMs } from "../kernel/stalls.ts";
import type { WatchOptions } from "./watchdog.ts";

// The program of the watchdog's thread. It goes on while the main thread is blocked: it sees what that one was working on, tells it
// afterwards how long it took, and ends the process when that has become too long. A blocked main thread hears neither requests
// nor signals, so nobody else could.

/** How often the main thread is looked at; it is counted in looks, because a process that stands still as a whole is not blocked. */
const lookEveryMs = 50;
/** So much of the time that it may be blocked has passed when somebody looks where it is. */
const suspiciousShare = 0.5;
/** Last words take no longer than this: to find out where the main thread is, and to write it down. */
const stackMaxMs = 2_000;
const lastWordsMaxMs = 3_000;
const stackFramesMax = 20;

const options = workerData as WatchOptions;
const board = new ActivityBoard(options.memory);
let beatsSeen = board.beats;
let silentLooks = 0;
let stoppingLooks = 0;
let silentSinceMs = performance.now();
let cpuBefore = process.cpuUsage();
let doing: Activity | undefined;
/** Where the main thread was found in this silence; undefined while it is being looked for. */
let stack: Promise<readonly string[]> | undefined;
let isEnding = false;

setInterval(look, lookEveryMs);

function look(): void {
  if (isEnding) return;
  if (board.stopLimitMs > 0) stoppingLooks += 1;
  if (stoppingLooks > 0 && stoppingLooks * lookEveryMs > board.stopLimitMs)
    return end("stopping took too long; what was in hand is safe in the database");
  const { beats } = board;
  if (beats === beatsSeen) return lookAtSilence();
  if (doing !== undefined) parentPort?.postMessage(stallOf(doing));
  stack = undefined;
  beatsSeen = beats;
  silentLooks = 0;
  silentSinceMs = performance.now();
  cpuBefore = process.cpuUsage();
  doing = undefined;
}

function lookAtSilence(): void {
  silentLooks += 1;
  // What it is doing now is what it has been doing since it fell silent, or what came after that in the same turn.
  if (performance.now() - silentSinceMs >= stallMinMs) doing ??= board.doing;
  const { blockedMaxMs } = options;
  const silentMs = silentLooks * lookEveryMs;
  if (blockedMaxMs === 0) return;
  if (silentMs > blockedMaxMs * suspiciousShare) stack ??= findStack();
  if (silentMs > blockedMaxMs)
    end(
      "the event loop is blocked: this process ends now, and has to be started again; what was in hand is safe in the database",
    );
}

function stallOf({ what, companyId }: Activity): Stall {
  const { user, system } = process.cpuUsage(cpuBefore);
  const ms = Math.round(performance.now() - silentSinceMs);
  const cpuMs = Math.round((user + system) / 1_000);
  return { what, companyId, ms, cpuMs, cause: causeOf(ms, cpuMs) };
}

/** Says where the main thread is, and kills the process: it could not hear anything gentler. */
function end(message: string): void {
  isEnding = true;
  const kill = () => process.kill(process.pid, "SIGKILL");
  setTimeout(kill, lastWordsMaxMs);
  stack ??= findStack();
  const isTooLate = new Promise<readonly string[]>((resolve) => {
    setTimeout(() => resolve([]), stackMaxMs);
  });
  void sayWhere(Promise.race([stack, isTooLate]), message, kill);
}

async function sayWhere(
  stackFound: Promise<readonly string[]>,
  message: string,
  kill: () => void,
): Promise<void> {
  const found = await stackFound;
  const { what, ...measured } = stallOf(doing ?? board.doing);
  const line = {
    level: 60,
    time: new Date().toISOString(),
    pid: process.pid,
    during: what || "unknown",
    ...measured,
    stack: found,
    msg: message,
  };
  // In the background: a reader of the log that hangs must not keep this from ending.
  write(1, `${JSON.stringify(line)}\n`, kill);
}

/** Where the main thread is, function by function. It is stopped for a moment for that; if it cannot be, this never resolves. */
function findStack(): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const session = new Session();
    session.once("Debugger.paused", ({ params }) => {
      // Lets it go on.
      session.disconnect();
      resolve(
        params.callFrames
          .slice(0, stackFramesMax)
          .map(({ functionName, location: { lineNumber, columnNumber = 0 }, url }) => {
            const place = `${basename(url)}:${lineNumber + 1}:${columnNumber + 1}`;
            return `${functionName || "(anonymous)"} ${place}`;
          }),
      );
    });
    try {
      session.connectToMainThread();
      session.post("Debugger.enable");
      session.post("Debugger.pause");
    } catch {
      // Somebody else looks at this process already: then it is not told here.
    }
  });
}
