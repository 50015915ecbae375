import { Wire } from "../api/wire.ts";
import { Asker } from "./asker.ts";
import type { Case, Outcome } from "./case.ts";
import { growthOf, isSteep } from "./growth.ts";
import { peakMb, processMs } from "./process-cost.ts";
import type { Site } from "./site.ts";

/** Longer than anything may take that is answered at all. */
const answerTimeoutMs = 30_000;
/** What others may be held up for. */
const heldUpMaxMs = 250;
export const memoryMaxMb = 400;
/** Nobody who took less is asked about growth: whatever it is, it is little. */
const littleMs = 100;
/** Whoever takes so long already is not tried with more. */
const muchMs = 2_000;
/** One who asks in between is asked what he saw only when there was time to see something. */
const lookAfterMs = 80;
const repeats = 2;
const lengthLeast = 2_000;

interface Cost {
  readonly outcome: Outcome;
  /** Of all threads. */
  readonly cpuMs: number;
  /** The longest that somebody else waited for the service's own work. */
  readonly heldUpMs: number;
}

export interface Tally {
  cases: number;
  requests: number;
  restarts: number;
  longestMs: number;
  heldUpMs: number;
  peakMb: number;
}

/** Sends what a case makes, longer and longer, and says what was wrong with it. */
export class Judge {
  readonly tally: Tally = {
    cases: 0,
    requests: 0,
    restarts: 0,
    longestMs: 0,
    heldUpMs: 0,
    peakMb: 0,
  };
  readonly #site: Site;
  #wire: Wire;
  #asker: Asker;

  constructor(site: Site) {
    this.#site = site;
    this.#wire = this.#connect();
    this.#asker = this.#watch();
  }

  async close(): Promise<void> {
    this.#wire.close();
    await this.#asker.stop();
  }

  /** `share`: of the longest that the case has. */
  async try(one: Case, share: number): Promise<string[]> {
    this.tally.cases += 1;
    const most = Math.max(lengthLeast, Math.floor(one.most * share));
    const lengths = [most / 64, most / 16, most / 4, most]
      .map(Math.floor)
      .filter((length) => length >= lengthLeast || length === most);
    for (const length of lengths) {
      const cost = await this.#measure(one, length);
      const problem = this.#endOf(one, length, cost) ?? this.#memoryOf(one, length);
      if (problem !== undefined) {
        await this.#restart();
        return [problem, ...(await this.#growth(one, length / 16))];
      }
      const findings = await this.#heldUp(one, length, cost);
      if (cost.cpuMs > littleMs) findings.push(...(await this.#growth(one, length)));
      if (findings.length > 0 || cost.cpuMs > muchMs) return findings;
    }
    return [];
  }

  #endOf({ name }: Case, length: number, { outcome, cpuMs }: Cost): string | undefined {
    const what = `${name}, ${sizeOf(length)}`;
    if (!this.#site.isRunning) return `${what}: the process ended: ${this.#site.lastWords}`;
    if (outcome.isSilent)
      return `${what}: no answer in ${answerTimeoutMs / 1_000} s, ${Math.round(cpuMs)} ms of CPU`;
    return undefined;
  }

  #memoryOf({ name }: Case, length: number): string | undefined {
    const megabytes = peakMb(this.#site.pid);
    this.tally.peakMb = Math.max(this.tally.peakMb, megabytes);
    if (megabytes <= memoryMaxMb) return undefined;
    return `${name}, ${sizeOf(length)}: ${megabytes} MB of memory`;
  }

  /** Once may be the machine, or the rubbish of somebody before. */
  async #heldUp(one: Case, length: number, cost: Cost): Promise<string[]> {
    let { heldUpMs } = cost;
    for (let time = 0; time < repeats && heldUpMs >= heldUpMaxMs; time += 1)
      heldUpMs = Math.min(heldUpMs, (await this.#measure(one, length)).heldUpMs);
    this.tally.heldUpMs = Math.max(this.tally.heldUpMs, heldUpMs);
    if (heldUpMs < heldUpMaxMs) return [];
    return [`${one.name}, ${sizeOf(length)}: /healthz waits for ${Math.round(heldUpMs)} ms`];
  }

  async #growth(one: Case, most: number): Promise<string[]> {
    const lengths = [most / 4, most / 2, most].map(Math.floor);
    const costs = await growthOf(lengths, async (length) => {
      const { cpuMs } = await this.#measure(one, length);
      if (!this.#site.isRunning) await this.#restart();
      return cpuMs;
    });
    if (!isSteep(costs, littleMs)) return [];
    const told = lengths.map(
      (length, place) => `${sizeOf(length)} ${Math.round(costs[place] ?? 0)} ms`,
    );
    return [`${one.name}: the time more than triples when the length doubles: ${told.join(", ")}`];
  }

  async #measure(one: Case, length: number): Promise<Cost> {
    const send = await one.prepare(this.#site, length);
    const { pid } = this.#site;
    const cpuBefore = processMs(pid);
    const started = performance.now();
    const outcome = await send(this.#wire);
    const tookMs = performance.now() - started;
    const cpuMs = processMs(pid) - cpuBefore;
    this.tally.requests += 1;
    this.tally.longestMs = Math.max(this.tally.longestMs, Math.round(cpuMs));
    const isWorthALook = tookMs > lookAfterMs && !outcome.isSilent && this.#site.isRunning;
    const probes = isWorthALook ? await this.#asker.report() : [];
    return { outcome, cpuMs, heldUpMs: Math.max(0, ...probes.map(({ heldUpMs }) => heldUpMs)) };
  }

  async #restart(): Promise<void> {
    this.tally.restarts += 1;
    this.#wire.close();
    const stopped = this.#asker.stop();
    await this.#site.restart();
    await stopped;
    this.#wire = this.#connect();
    this.#asker = this.#watch();
  }

  #connect(): Wire {
    return new Wire(this.#site.url, answerTimeoutMs);
  }

  #watch(): Asker {
    const { url, pid } = this.#site;
    return new Asker({ url, pid, path: "/healthz", token: undefined });
  }
}

export function sizeOf(length: number): string {
  return length < 10_000 ? `${Math.round(length)} B` : `${Math.round(length / 1_000)} KB`;
}
