import { spawn } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../../src/kernel/root.ts";
import { nextTransfer } from "../requests.ts";
import { type Contender, freePort, type Service, untilReady } from "./contender.ts";
import type { LoadGenerator, LoadResult } from "./load.ts";
import type { Plan } from "./options.ts";
import type { RunPostgres } from "./run-postgres.ts";
import { type Spent, startMeter } from "./spent.ts";
import type { Watcher } from "./watcher.ts";

export interface TransferPart {
  readonly isSettling: boolean;
  readonly connections: number;
}

/** What a turn showed. Only the rate and the times of answers are known of the bare route. */
export interface Turn extends Partial<Spent> {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly walBytes?: number;
  readonly pageImageBytes?: number;
  readonly diskBytes?: number;
}

export interface Bench {
  readonly postgres: RunPostgres;
  readonly generator: LoadGenerator;
  readonly plan: Plan;
  readonly stopped: AbortSignal;
}

const { amount } = nextTransfer();
const warmUp = 1;
const measured = 2;

/**
 * One turn of a contender, on a database and in a process of its own: warmed up, then loaded. Where it
 * settles, the clock runs until the last transfer that was accepted is settled.
 */
export async function takeTurn(
  bench: Bench,
  contender: Contender,
  part: TransferPart,
  watcher?: Watcher,
): Promise<Turn> {
  return contender.withDatabase(async (database) => {
    const bytesBefore = await bench.postgres.bytesOf(database);
    const roles = part.isSettling ? "api,worker" : "api";
    const service = await contender.start(database, roles, watcher?.nodeOptions);
    let turn: Turn & { readonly transfersInAll: number };
    try {
      turn = await loadService(bench, contender, database, part, service, watcher);
    } finally {
      await service.stop();
    }
    await watcher?.end();
    await bench.postgres.inside(database, (client) => client.query("vacuum"));
    const bytes = (await bench.postgres.bytesOf(database)) - bytesBefore;
    // Fast and wrong is worth nothing: it fails when a franc is not where it belongs.
    await contender.command(database, ["audit"]);
    const { transfersInAll, ...rest } = turn;
    return { ...rest, diskBytes: bytes / transfersInAll };
  });
}

async function loadService(
  { postgres, generator, plan, stopped }: Bench,
  contender: Contender,
  database: string,
  { isSettling, connections }: TransferPart,
  service: Service,
  watcher: Watcher | undefined,
): Promise<Turn & { readonly transfersInAll: number }> {
  const account = contender.accountAt(service);
  const target = { url: service.url, token: account.token, connections };
  const untilDone = async () => {
    if (isSettling) return account.untilSettled();
    await account.untilStill();
    return undefined;
  };
  const balanceAtFirst = await account.balance();
  await generator.apply({ ...target, seconds: plan.warmUpSeconds, series: warmUp }, stopped);
  await untilDone();

  const walSince = await postgres.startWal();
  const balanceBefore = await account.balance();
  await watcher?.start(postgres, database);
  const spent = startMeter(service, postgres);
  const startedAt = performance.now();
  const load = { ...target, seconds: plan.seconds, series: measured };
  const result = await generator.apply(load, stopped);
  await watcher?.stop();
  const settledAt = await untilDone();
  const balanceAfter = await account.balance();
  const transfers = (balanceBefore - balanceAfter) / amount;
  const cpu = spent(transfers);
  const wal = await walSince();

  expectAll(result, transfers, connections);
  if (await account.hasTransfers("failed")) throw new Error("not every transfer was completed");
  return {
    perSecond:
      settledAt === undefined
        ? result.answers / result.seconds
        : (transfers * 1_000) / (settledAt - startedAt),
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    ...cpu,
    walBytes: wal.records / transfers,
    pageImageBytes: wal.pageImages / transfers,
    transfersInAll: (balanceAtFirst - balanceAfter) / amount,
  };
}

/** Every answer is a transfer in the books; besides those, at most what was under way at the end. */
function expectAll({ answers }: LoadResult, transfers: number, connections: number): void {
  if (transfers < answers || transfers > answers + connections)
    throw new Error(`${answers} transfers were answered, and ${transfers} are in the books`);
}

/** The same load on a route that validates, answers and does nothing else. */
export async function takeBareTurn(
  { generator, plan, stopped }: Bench,
  connections: number,
): Promise<Turn> {
  const port = await freePort();
  const path = join(packageRoot, "dist/bench/against/processes/bare-route.js");
  const child = spawn(process.execPath, [path, String(port)], {
    env: {},
    stdio: ["ignore", "inherit", "inherit"],
    signal: stopped,
  });
  const service = await untilReady(child, `http://127.0.0.1:${port}`, "/readyz", stopped);
  try {
    const target = { url: service.url, token: "none", connections };
    await generator.apply({ ...target, seconds: plan.warmUpSeconds, series: warmUp }, stopped);
    const load = { ...target, seconds: plan.seconds, series: measured };
    const { answers, seconds, p50Ms, p99Ms } = await generator.apply(load, stopped);
    return { perSecond: answers / seconds, p50Ms, p99Ms };
  } finally {
    await service.stop();
  }
}
