import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../api/client.ts";
import { type Ground, type GroundCompany, onGround } from "../ground.ts";
import { memoryOf } from "../memory.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import type { Program } from "../program.ts";
import type { Attack } from "./attack.ts";
import { batchAttacks } from "./attacks/batches.ts";
import { connectionAttacks } from "./attacks/connections.ts";
import { attackMessages } from "./messages.ts";
import { NeighbourProcess } from "./neighbour-process.ts";

/** Every attack of the campaign; a new one is a file in `attacks/` and a line here. */
const attacks: readonly Attack[] = [...batchAttacks, ...connectionAttacks];

interface Plan {
  readonly attackSeconds: number;
  /** Only a campaign judges times: a test shares its machine with others. */
  readonly judgesTimes: boolean;
}

const plans: Record<Campaign["scale"], Plan> = {
  short: { attackSeconds: 1, judgesTimes: false },
  full: { attackSeconds: 20, judgesTimes: true },
};

const neighbourP99MaxMs = 250;
const loopDelayMaxMs = 100;
const memoryMaxMb = 400;
const memoryEveryMs = 50;
/** Longer than metrics are kept for: what is read afterwards is of the attack alone. */
const pauseMs = 1_200;
const fund = 1_000_000_000;

export const abuse: Part = {
  name: "abuse",
  promises:
    "A company that asks for the worst there is harms nobody: its neighbour loses no request and waits for none.",
  async run(campaign) {
    const settings = { LOG_LEVEL: "error" };
    const services = await onGround({ settings }, (ground) => attackAll(campaign, ground));
    const messages = await attackMessages(campaign);
    return {
      counts: { ...services.counts, ...messages.counts },
      findings: [...services.findings, ...messages.findings],
    };
  },
};

async function attackAll(campaign: Campaign, ground: Ground): Promise<PartReport> {
  const attacker = await ground.makeCompany({ name: "Attacker", fund: 1_000_000 });
  const neighbour = await ground.makeCompany({ name: "Neighbour", fund });
  const plan = plans[campaign.scale];
  const findings: string[] = [];
  const seen = { requests: 0, neighbourRequests: 0, p99Ms: 0, loopMs: 0, memoryMb: 0 };
  for (const attack of attacks) {
    if (campaign.deadline.aborted || !ground.program.isRunning) break;
    campaign.progress(attack.name);
    const result = await underAttack(campaign, ground, { attack, attacker, neighbour, plan });
    const { p99Ms, loopMs, memoryMb } = result;
    campaign.progress(
      `  neighbour's p99 ${p99Ms} ms, event loop held up ${loopMs} ms, ${memoryMb} MB`,
    );
    for (const finding of result.findings) findings.push(`${attack.name}: ${finding}`);
    seen.requests += result.requests;
    seen.neighbourRequests += result.neighbourRequests;
    seen.p99Ms = Math.max(seen.p99Ms, result.p99Ms);
    seen.loopMs = Math.max(seen.loopMs, result.loopMs);
    seen.memoryMb = Math.max(seen.memoryMb, result.memoryMb);
  }
  if (!ground.program.isRunning) findings.push("the service ended");
  return {
    counts: {
      attacks: attacks.length,
      "requests of the attacker": seen.requests,
      "requests of the neighbour": seen.neighbourRequests,
      "ms at most, the neighbour's p99": seen.p99Ms,
      "ms at most, the event loop held up": seen.loopMs,
      "MB at most": seen.memoryMb,
    },
    findings: [...findings, ...(await ground.auditFindings())],
  };
}

interface Round {
  readonly attack: Attack;
  readonly attacker: GroundCompany;
  readonly neighbour: GroundCompany;
  readonly plan: Plan;
}

async function underAttack(
  { random, deadline, seed }: Campaign,
  ground: Ground,
  { attack, attacker, neighbour, plan }: Round,
) {
  if (plan.judgesTimes) await sleep(pauseMs);
  await loopDelayMs(ground.url);
  const memory = watchMemory(ground.program);
  const business = new NeighbourProcess(ground.url, neighbour, `${seed}-${attack.name}`);
  const time = AbortSignal.timeout(plan.attackSeconds * 1_000);
  const signal = AbortSignal.any([deadline, time]);
  const { requests, findings } = await attack.run({ ground, attacker, random, signal });
  const { p99Ms, lost, requests: neighbourRequests } = await business.stop();
  const memoryMb = await memory.stop();
  const loopMs = ground.program.isRunning ? await loopDelayMs(ground.url) : 0;
  return {
    requests,
    neighbourRequests,
    p99Ms,
    loopMs,
    memoryMb,
    findings: [
      ...findings,
      ...lost.map((sentence) => `the neighbour lost ${sentence}`),
      ...(memoryMb > memoryMaxMb ? [`the service held ${memoryMb} MB`] : []),
      ...(plan.judgesTimes && p99Ms > neighbourP99MaxMs
        ? [`the neighbour waited ${p99Ms} ms (p99)`]
        : []),
      ...(plan.judgesTimes && loopMs > loopDelayMaxMs
        ? [`the event loop was held up for ${loopMs} ms`]
        : []),
    ],
  };
}

/** The longest that the service's event loop was held up since this was last asked. */
async function loopDelayMs(url: string): Promise<number> {
  const { text } = await ask(url, "GET", "/metrics");
  const seconds = /^cauri_event_loop_delay_max_seconds (\S+)$/m.exec(text)?.[1];
  return Math.round(Number(seconds) * 1_000);
}

function watchMemory(program: Program) {
  const stopping = new AbortController();
  let most = 0;
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      most = Math.max(most, await memoryOf(program));
      await sleep(memoryEveryMs);
    }
  })();
  return {
    async stop(): Promise<number> {
      stopping.abort();
      await watching;
      return most;
    },
  };
}
