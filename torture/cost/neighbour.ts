import { setTimeout as sleep } from "node:timers/promises";
import { Wire } from "../api/wire.ts";
import { Asker } from "./asker.ts";
import type { Case } from "./case.ts";
import type { Probe } from "./prober.ts";
import { peakMb } from "./process-cost.ts";
import type { Site } from "./site.ts";

const answerTimeoutMs = 30_000;
const quietMs = { short: 1_000, full: 5_000 };

export interface NeighbourReport {
  readonly requests: number;
  /** Of another company's GET /v1/balance, while nothing happened and while it did. */
  readonly quietP99Ms: number;
  readonly p99Ms: number;
  /** The same without the time in which the service was not at work: a busy machine's. */
  readonly heldUpP99Ms: number;
  readonly worstMs: number;
  readonly memoryMb: number;
}

/** How another company fares while each case is sent at its longest, one after the other. */
export async function watchNeighbour(
  site: Site,
  cases: readonly Case[],
  share: number,
  scale: "short" | "full",
  mayGoOn: () => boolean,
): Promise<NeighbourReport> {
  await site.restart();
  const { url, pid, neighbourToken: token } = site;
  const asker = new Asker({ url, pid, path: "/v1/balance", token });
  await sleep(quietMs[scale]);
  const quiet = await asker.report();
  const wire = new Wire(url, answerTimeoutMs);
  const probes: Probe[] = [];
  let requests = 0;
  for (const one of cases) {
    if (!mayGoOn() || !site.isRunning) break;
    const send = await one.prepare(site, Math.floor(one.most * share));
    // What was asked while the case was made does not count.
    await asker.report();
    await send(wire);
    requests += 1;
    probes.push(...(await asker.report()));
  }
  wire.close();
  await asker.stop();
  return {
    requests,
    quietP99Ms: p99(quiet.map(({ waitedMs }) => waitedMs)),
    p99Ms: p99(probes.map(({ waitedMs }) => waitedMs)),
    heldUpP99Ms: p99(probes.map(({ heldUpMs }) => heldUpMs)),
    worstMs: Math.round(Math.max(0, ...probes.map(({ waitedMs }) => waitedMs))),
    memoryMb: peakMb(pid),
  };
}

function p99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
}
