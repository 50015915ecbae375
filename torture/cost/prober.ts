import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { mainThreadMs, ownDelayMs } from "./process-cost.ts";

/** What a thread that asks again and again is told. */
export interface ProberTask {
  readonly url: string;
  readonly path: string;
  readonly token: string | undefined;
  /** Whose main thread is looked at meanwhile. */
  readonly pid: number;
}

/** One question. */
export interface Probe {
  readonly waitedMs: number;
  /**
   * For which it was held up by the service's own work: the CPU that its main thread used meanwhile, and no more than there is
   * without the time in which whoever asked waited for a CPU.
   */
  readonly heldUpMs: number;
}

// Asks as somebody else would who has nothing to do with an attack. In a thread of its own, because whoever attacks has much to do.

const pauseMs = 20;
const answerTimeoutMs = 60_000;

const { url, path, token, pid } = workerData as ProberTask;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let probes: Probe[] = [];
const stopping = new AbortController();
let asked: (() => void)[] = [];

parentPort?.on("message", (what: "stop" | "report") => {
  if (what === "stop") stopping.abort();
  // Whoever wants to know of what is under way waits for it.
  asked.push(() => {
    parentPort?.postMessage(probes);
    probes = [];
  });
});

while (!stopping.signal.aborted) {
  const answering = asked;
  asked = [];
  probes.push(await probe());
  for (const answer of answering) answer();
  await sleep(pauseMs);
}
for (const answer of asked) answer();
agent.destroy();
parentPort?.close();

async function probe(): Promise<Probe> {
  const busyBefore = mainThreadMs(pid);
  const delayBefore = ownDelayMs();
  const started = performance.now();
  await ask();
  const waitedMs = performance.now() - started;
  const answeredMs = waitedMs - (ownDelayMs() - delayBefore);
  return { waitedMs, heldUpMs: Math.max(0, Math.min(answeredMs, mainThreadMs(pid) - busyBefore)) };
}

function ask(): Promise<void> {
  return new Promise((resolve) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const sent = request(url + path, { agent, headers, timeout: answerTimeoutMs }, (answer) => {
      answer.resume();
      answer.on("close", resolve);
    });
    sent.on("timeout", () => sent.destroy());
    sent.on("error", () => resolve());
    sent.end();
  });
}
