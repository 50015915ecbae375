import { readFileSync } from "node:fs";
import type pg from "pg";
import { settle } from "../src/transfers/settle-store.ts";
import { callOnce, connect } from "./batches.ts";
import type { Plan } from "./options.ts";
import type { Book, Postgres } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { median } from "./rounds.ts";
import { unchainedPosting } from "./unchained.ts";

/** As many as wait together at 64 connections, and as many as a batch has. */
const setSizes = [32, 1_000];
/** As many as one call settles. */
const settledAtOnce = 500;
/** Of what accepting costs, the chain may be a twentieth. */
const acceptTarget = 0.95;

/** A database, and a connection to it that makes one call after the other. */
interface Caller {
  readonly book: Book;
  readonly client: pg.Client;
  /** Of PostgreSQL's process behind the connection. */
  readonly pid: number;
}

/** What one call took. The CPU's part wavers least, where the system tells it. */
interface Cost {
  readonly ms: number;
  readonly cpuMs?: number | undefined;
}

interface Calls {
  readonly rows: number;
  readonly call: (caller: Caller) => Promise<Cost>;
}

/**
 * Part m: the calls that accept and settle transfers, with the chain of postings and without it, in two databases of one
 * server. They take turns call by call: the chain costs less than a machine wavers from one second to the next.
 */
export async function chainAgainstNone(postgres: Postgres, plan: Plan): Promise<Finding[]> {
  const chained = await open(postgres, "chained");
  const unchained = await open(postgres, "unchained");
  await unchained.book.database.query({ text: unchainedPosting, values: [] });
  const against = (id: string, what: string, calls: Calls, target?: number) =>
    compareCalls(plan, [chained, unchained], { id, what, calls, target });
  try {
    const findings: Finding[] = [];
    for (const rows of setSizes)
      findings.push(
        await against(
          `m-${rows}`,
          `(m) the call that accepts, ${whole(rows)} at a time`,
          { rows, call: (caller) => acceptTimed(caller, rows) },
          acceptTarget,
        ),
      );
    for (const { book } of [chained, unchained]) await settleAll(book);
    const what = `(m) the call that settles, ${settledAtOnce} at a time`;
    findings.push(await against("m-settle", what, { rows: settledAtOnce, call: settleTimed }));
    return findings;
  } finally {
    for (const { client, book } of [chained, unchained]) {
      await client.end();
      await book.close();
    }
  }
}

async function open(postgres: Postgres, name: string): Promise<Caller> {
  const book = await postgres.makeBook(name);
  const client = await connect(book);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return { book, client, pid: rows[0]?.pid ?? 0 };
}

async function compareCalls(
  plan: Plan,
  callers: readonly [Caller, Caller],
  part: {
    readonly id: string;
    readonly what: string;
    readonly calls: Calls;
    readonly target: number | undefined;
  },
): Promise<Finding> {
  const { id, what, calls, target } = part;
  await runRound(callers, calls, plan.warmUpSeconds);
  const rounds: Round[] = [];
  for (let round = 0; round < plan.rounds; round += 1)
    rounds.push(await runRound(callers, calls, plan.roundSeconds));
  const counted = rounds.slice(plan.roundsDropped);
  const rate = (costs: (round: Round) => Cost) =>
    median(counted.map((round) => (calls.rows * 1_000) / costs(round).ms));
  const chained = rate((round) => round.chained);
  const unchained = rate((round) => round.unchained);
  const ratios = counted.map((round) => round.unchained.ms / round.chained.ms);
  const cpuRatios = counted.flatMap(({ chained: { cpuMs }, unchained: { cpuMs: without } }) =>
    cpuMs === undefined || without === undefined ? [] : [without / cpuMs],
  );
  const ofCpu = cpuRatios.length === 0 ? "" : `, of its CPU ${rounded(median(cpuRatios))} ×`;
  return {
    id,
    what,
    measured: `${whole(chained)}/s chained`,
    against: `not chained: ${whole(unchained)}/s${ofCpu}`,
    ratio: median(ratios),
    ...(target === undefined ? {} : { target }),
    numbers: {
      chained: { transfersPerSecond: Math.round(chained) },
      unchained: { transfersPerSecond: Math.round(unchained) },
      ratios: ratios.map((r) => rounded(r)),
      cpuRatios: cpuRatios.map((r) => rounded(r)),
    },
  };
}

/** What one call took, of each: the median, because a call that a checkpoint falls upon says nothing of the chain. */
interface Round {
  readonly chained: Cost;
  readonly unchained: Cost;
}

/** Both together have twice the seconds. Who comes first changes with every turn. */
async function runRound(
  [chained, unchained]: readonly [Caller, Caller],
  { call }: Calls,
  seconds: number,
): Promise<Round> {
  const deadline = performance.now() + 2 * seconds * 1_000;
  const ofChained: Cost[] = [];
  const ofUnchained: Cost[] = [];
  for (let turn = 0; turn === 0 || performance.now() < deadline; turn += 1) {
    const calls = [
      async () => ofChained.push(await call(chained)),
      async () => ofUnchained.push(await call(unchained)),
    ];
    for (const one of turn % 2 === 0 ? calls : calls.toReversed()) await one();
  }
  return { chained: medianCost(ofChained), unchained: medianCost(ofUnchained) };
}

function medianCost(costs: readonly Cost[]): Cost {
  const cpu = costs.flatMap(({ cpuMs }) => (cpuMs === undefined ? [] : [cpuMs]));
  return {
    ms: median(costs.map(({ ms }) => ms)),
    cpuMs: cpu.length === 0 ? undefined : median(cpu),
  };
}

async function acceptTimed({ book, client, pid }: Caller, rows: number): Promise<Cost> {
  const before = cpuMsOf(pid);
  const ms = await callOnce(client, book.companyId, rows);
  const after = cpuMsOf(pid);
  return {
    ms,
    cpuMs: before === undefined || after === undefined ? undefined : after - before,
  };
}

/** What a process has had of the CPU so far; undefined where the system does not tell it so exactly. */
function cpuMsOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1_000_000;
}

/** Accepts as many as it settles; only settling is timed. */
async function settleTimed({ book, client }: Caller): Promise<Cost> {
  await callOnce(client, book.companyId, settledAtOnce);
  const start = performance.now();
  const count = await settleOnce(book);
  const busyMs = performance.now() - start;
  if (count !== settledAtOnce) throw new Error(`${count} of ${settledAtOnce} were settled`);
  return { ms: busyMs };
}

/** What was accepted to measure accepting would be settled first. */
async function settleAll(book: Book): Promise<void> {
  while ((await settleOnce(book)) > 0);
}

/** Answers how many were settled; none may fail. */
async function settleOnce({ database, companyId }: Book): Promise<number> {
  const most = Number.MAX_SAFE_INTEGER;
  const policy = { walletMax: { complete: most, otherwise: most }, testMsisdns: undefined };
  const { reasons } = await settle(database, policy, { companyId, limit: settledAtOnce });
  if (reasons?.some((reason) => reason !== null)) throw new Error("a transfer failed");
  return reasons?.length ?? 0;
}
