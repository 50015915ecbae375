import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/database/sql.ts";
import { type Ground, type GroundCompany, onGround } from "../ground.ts";
import { memoryOf } from "../memory.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { untilReady } from "../until-ready.ts";
import { type Answer, applyLoad } from "./load.ts";

interface Plan {
  /** As many as it takes for the service to be fully busy. */
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly capacitySeconds: number;
  readonly overloadSeconds: number;
  readonly settings: Readonly<Record<string, string>>;
  /** Only a campaign judges times: a test shares its machine with others. */
  readonly judgesTimes: boolean;
}

const plans: Record<Campaign["scale"], Plan> = {
  // A bound that any machine runs into.
  short: {
    connections: 24,
    warmUpSeconds: 0.5,
    capacitySeconds: 0.5,
    overloadSeconds: 2,
    settings: { REQUESTS_IN_FLIGHT_MAX: "32" },
    judgesTimes: false,
  },
  full: {
    connections: 512,
    warmUpSeconds: 5,
    capacitySeconds: 10,
    overloadSeconds: 30,
    settings: {},
    judgesTimes: true,
  },
};

const times = 3;
const acceptedP99MaxMs = 1_000;
const memoryMaxMb = 600;
const healthEveryMs = 200;
const recoveryLimitMs = 30_000;
const fund = 1_000_000_000_000;

export const overload: Part = {
  name: "overload",
  promises:
    "Three times as many callers as it can serve: it refuses early, serves the others in time, keeps its memory and recovers by itself.",
  run: (campaign) => {
    const plan = plans[campaign.scale];
    const settings = { LOG_LEVEL: "error", ...plan.settings };
    return onGround({ settings }, (ground) => crowd(campaign, ground, plan));
  },
};

async function crowd(campaign: Campaign, ground: Ground, plan: Plan): Promise<PartReport> {
  const { progress, deadline: signal } = campaign;
  const { program, url } = ground;
  const company = await ground.makeCompany({ name: "Torture", fund });
  const load = (name: string, connections: number, seconds: number) =>
    applyLoad({ url, token: company.accessToken, signal, name, connections, seconds });

  progress("finding out what it can carry");
  const warmUp = await load("warm-up", plan.connections, plan.warmUpSeconds);
  const capacity = await load("capacity", plan.connections, plan.capacitySeconds);
  const memoryBefore = await memoryOf(program);

  progress(`${times} times as many`);
  const health = watchHealth(url);
  const crowded = await load("crowd", times * plan.connections, plan.overloadSeconds);
  const unhealthy = await health.stop();
  const memoryAfter = await memoryOf(program);

  progress("recovering");
  const recovery = await untilReady(url, recoveryLimitMs);
  const calm = await load("calm", 1, 1);
  const all = [...warmUp, ...capacity, ...crowded, ...calm];
  const accepted = crowded.filter(({ status }) => status === 201);
  const refused = crowded.filter(({ status }) => status === 503);
  const p99 = percentile(accepted, 0.99);

  const findings = [
    ...recovery,
    ...unhealthy,
    ...(await compareWithBooks(ground, company, all)),
    ...(await ground.auditFindings()),
    ...refused.filter(({ hasRetryAfter }) => !hasRetryAfter).map(() => "a 503 without Retry-After"),
  ];
  const odd = all.filter(({ status }) => status !== 201 && status !== 503);
  for (const { status, code } of odd) findings.push(`an answer was ${status} ${code}`);
  if (refused.length === 0) findings.push("nothing was refused");
  if (accepted.length === 0) findings.push("nothing was accepted");
  if (!calm.some(({ status }) => status === 201)) findings.push("it did not recover");
  if (plan.judgesTimes && p99 > acceptedP99MaxMs)
    findings.push(`accepted requests took up to ${p99} ms (p99)`);
  if (memoryAfter > memoryMaxMb) findings.push(`it holds ${memoryAfter} MB of memory`);

  return {
    counts: {
      "a second at capacity": perSecond(capacity, plan.capacitySeconds),
      connections: times * plan.connections,
      "a second accepted": perSecond(accepted, plan.overloadSeconds),
      "a second refused": perSecond(refused, plan.overloadSeconds),
      "p50 of the accepted, ms": percentile(accepted, 0.5),
      "p99 of the accepted, ms": p99,
      "p99 of the refused, ms": percentile(refused, 0.99),
      "MB before": memoryBefore,
      "MB after": memoryAfter,
    },
    findings,
  };
}

/** What was accepted is there once; what was refused is not. */
async function compareWithBooks(
  { database }: Ground,
  { id }: GroundCompany,
  answers: readonly Answer[],
): Promise<string[]> {
  const rows = await database.query<{ reference: string }>(sql`
    select reference from transfers where company_id = ${id}`);
  const stored = new Set(rows.map(({ reference }) => reference));
  const lost = answers.filter(({ status, reference }) => status === 201 && !stored.has(reference));
  const ghosts = answers.filter(({ status, reference }) => status === 503 && stored.has(reference));
  return [
    ...lost.map(({ reference }) => `${reference} was accepted and is not in the books`),
    ...ghosts.map(({ reference }) => `${reference} was refused and is in the books`),
  ];
}

/** Whoever watches the node must be able to, all the time. */
function watchHealth(url: string) {
  const findings: string[] = [];
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const { status } = await fetch(`${url}/healthz`);
      if (status !== 200) findings.push(`/healthz answered ${status}`);
      await sleep(healthEveryMs);
    }
  })();
  return {
    async stop(): Promise<string[]> {
      stopping.abort();
      await watching;
      return findings;
    },
  };
}

function perSecond(answers: readonly Answer[], seconds: number): number {
  return Math.round(answers.length / seconds);
}

function percentile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
}
