import { setTimeout as sleep } from "node:timers/promises";
import type { Place } from "../ground.ts";
import type { Program } from "../program.ts";
import type { Shop } from "../traffic/shop.ts";
import { isReady, untilReady } from "../until-ready.ts";
import type { Pair } from "./pair.ts";
import type { Server } from "./server.ts";

/** What the faults are inflicted on. */
interface Scene {
  readonly pair: Pair;
  readonly place: Place;
  readonly program: Program;
  readonly shop: Shop;
}

export interface Fault {
  readonly name: string;
  /** Whether another server is the primary afterwards, so that it tells how long a failover takes. */
  readonly isFailover: boolean;
  /** Returns what did not hold, each as one sentence. */
  inflict(scene: Scene): Promise<string[]>;
}

/** Somebody has to notice that the primary is away, and to decide. */
const managerPauseMs = 500;
const goOnMs = 700;
/** A commit of the last five seconds counts for as long as the next one has not failed. */
const noticedLimitMs = 10_000;
/** Of a server that falls silent: a pulse that does not come back is given up after five seconds. */
const recoveryLimitMs = 30_000;
const pollMs = 50;

const kill: Fault = {
  name: "the primary is killed",
  isFailover: true,
  async inflict({ pair, program }) {
    await pair.primary.kill();
    const noticed = await untilNotReady(program, noticedLimitMs);
    await sleep(managerPauseMs);
    await pair.promote();
    const findings = [...noticed, ...(await untilReady(program.url, recoveryLimitMs))];
    await sleep(goOnMs);
    return findings;
  },
};

const switchOver: Fault = {
  name: "the primary is stopped in good order",
  isFailover: true,
  async inflict({ pair, program }) {
    await pair.primary.stop();
    await pair.promote();
    const findings = await untilReady(program.url, recoveryLimitMs);
    await sleep(goOnMs);
    return findings;
  },
};

const freeze: Fault = {
  name: "the primary stands still, and wakes up when another has taken over",
  isFailover: true,
  async inflict({ pair, program, shop }) {
    const old = pair.primary;
    await old.freeze();
    await sleep(managerPauseMs);
    await pair.promote();
    const findings = await untilWritten(shop, recoveryLimitMs);
    old.thaw();
    return [...findings, ...(await usesAfterMoment(old, program))];
  },
};

const blink: Fault = {
  name: "the primary stands still, and wakes up before anybody has noticed that another has taken over",
  isFailover: true,
  async inflict({ pair, program, shop }) {
    const old = pair.primary;
    await old.freeze();
    await pair.promote();
    old.thaw();
    const findings = await untilWritten(shop, recoveryLimitMs);
    return [...findings, ...(await usesAfterMoment(old, program))];
  },
};

const comeBack: Fault = {
  name: "a primary that was left behind comes back and takes writes, and the right one goes away",
  isFailover: false,
  async inflict({ pair, place, program, shop }) {
    const findings = await kill.inflict({ pair, place, program, shop });
    const [old, right] = [pair.standby, pair.primary];
    const sinceAt = new Date();
    await old.start({ synchronous_standby_names: "" });
    const before = await transfersOn(old);
    await right.kill();
    findings.push(...(await untilNotReady(program, noticedLimitMs)));
    const outcome = await shop.client.send({ method: "GET", path: "/v1/balance" });
    if (outcome.kind !== "refused" || outcome.status !== 503)
      findings.push(
        `a balance was answered of a server that went back: ${JSON.stringify(outcome)}`,
      );
    findings.push(...(await untilTold(program, "went back in time", noticedLimitMs)));
    const command = await place.command(["company", "list"]);
    if (command.code !== 1 || !command.stderr.includes("went back in time"))
      findings.push(`a command took a database that went back: ${JSON.stringify(command)}`);
    if ((await transfersOn(old)) !== before)
      findings.push("something was written to a server that went back");
    await right.start();
    findings.push(...(await untilReady(program.url, recoveryLimitMs)));
    await sleep(goOnMs);
    return [...findings, ...(await usesOf(old, program, sinceAt))];
  },
};

const withhold: Fault = {
  name: "commits wait for a standby",
  isFailover: false,
  async inflict({ pair, program, shop: { client } }) {
    await pair.withhold();
    const findings = await untilNotReady(program, recoveryLimitMs);
    // Requests in hand wait with them; what comes five seconds later is told why.
    await sleep(goOnMs);
    const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "waiting" };
    const outcome = await client.send({ method: "POST", path: "/v1/transactions", body });
    if (outcome.kind !== "refused" || outcome.code !== "database_waiting")
      findings.push(`while commits waited, a transfer came to ${JSON.stringify(outcome)}`);
    await pair.confirm();
    return [...findings, ...(await untilReady(program.url, recoveryLimitMs))];
  },
};

export const faults = { kill, switchOver, freeze, blink, comeBack, withhold } as const;

async function untilNotReady({ url }: Program, limitMs: number): Promise<string[]> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    if (!(await isReady(url, limitMs))) return [];
    await sleep(pollMs);
  }
  return [`the service said for ${limitMs} ms that it was ready, and nobody could write`];
}

/** Until /readyz gives this reason; at first it may have another. */
async function untilTold({ url }: Program, reason: string, limitMs: number): Promise<string[]> {
  const deadline = performance.now() + limitMs;
  let told: string | undefined;
  do {
    const answer = await fetch(`${url}/readyz`);
    ({ problem: told } = (await answer.json()) as { problem?: string });
    if (told?.includes(reason) === true) return [];
    await sleep(pollMs);
  } while (performance.now() < deadline);
  return [`/readyz does not tell that the database ${reason}: ${told}`];
}

/** Until a transfer that is sent from now on is acknowledged, which the old primary cannot do without its standby. */
async function untilWritten({ client, journal }: Shop, limitMs: number): Promise<string[]> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    const reference = `written-${journal.transfers.length}`;
    const row = { reference, amount: 5_000, msisdn: "2250700000000" };
    const body = { type: "transfer", ...row };
    const call = { method: "POST", path: "/v1/transactions", body } as const;
    const outcome = await client.send(call);
    journal.transfers.push({ rows: [row], call, outcomes: [outcome] });
    if (outcome.kind === "ok") return [];
    await sleep(pollMs);
  }
  return [`nothing was written for ${limitMs} ms after another server took over`];
}

/** A server that woke up first does what had been sent to it before. */
async function usesAfterMoment(server: Server, program: Program): Promise<string[]> {
  await sleep(goOnMs);
  const sinceAt = new Date();
  await sleep(goOnMs);
  return usesOf(server, program, sinceAt);
}

async function transfersOn(server: Server): Promise<unknown> {
  return (await server.ask("select count(*) as count from transfers"))[0]?.["count"];
}

/** Nothing may be decided, nor read, at a server that was left behind. It may be asked for its place in history. */
async function usesOf(server: Server, { process }: Program, since: Date): Promise<string[]> {
  const rows = await server.ask<{ query: string }>(`
    select query from pg_stat_activity
    where application_name = 'cauri:${process.pid}' and query_start > '${since.toISOString()}'
      and query not like '%pg_is_in_recovery()%'`);
  return rows.map(({ query }) => `the service still uses a server that was left behind: ${query}`);
}
