import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../src/database/sql.ts";
import { batchConnections, batchPath, batchRows } from "./batches.ts";
import { type Side, startSides, workers } from "./cluster-sides.ts";
import { applyLoad } from "./load.ts";
import { companiesMany, contender, describe, type Rate } from "./many-processes.ts";
import type { Plan } from "./options.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { type Comparison, type Contender, compare, medianOf } from "./rounds.ts";
import { expectSoundBooks } from "./settle.ts";

const settleLimitMs = 300_000;
const pollMs = 200;

/** A rate, with the CPU time that PostgreSQL took for it. */
type Measured = Rate & {
  /** For one transfer. */
  readonly coordinatorUs: number;
  readonly workersUs: number;
};

/**
 * Part citus: a coordinator and two workers on this machine, against one database on the same server and cores that is whole. Accepting and settling are
 * measured one after the other: together they would tell which of the two the machine let pass.
 */
export async function clusterAgainstOne(
  plan: Plan,
  say: (message: string) => void,
): Promise<Finding[]> {
  const sides = await startSides();
  if (typeof sides === "string") {
    say(`Part citus is skipped: ${sides}`);
    return [];
  }
  const { cluster, plain } = sides;
  const against = async (
    id: string,
    what: string,
    of: (side: Side) => Contender<Measured>,
    target?: number,
  ) => toFinding(id, what, "one database", await compare(plan, of(cluster), of(plain)), target);
  try {
    const findings = [
      await against(
        "citus-batches",
        `batches of ${whole(batchRows)}, ${batchConnections} connections`,
        batches,
        0.8,
      ),
      await against("citus-single-1", "single, one company", (side) => singles(side, 1), 0.6),
      await against("citus-single-8", `single, ${companiesMany} companies`, (side) =>
        singles(side, companiesMany),
      ),
      toFinding(
        "citus-companies",
        `single, ${companiesMany} companies`,
        "one company there",
        await compare(plan, singles(cluster, companiesMany), singles(cluster, 1)),
        rounded(1 / 3, 2),
      ),
    ];
    const settled = [await settle(cluster), await settle(plain)] as const;
    findings.push(toSettling(...settled));
    for (const side of [cluster, plain]) await expectSoundBooks(side);
    return findings;
  } finally {
    await sides.stop();
  }
}

function singles(side: Side, companies: number): Contender<Measured> {
  return withCpu(side, contender(side, companies));
}

function batches(side: Side): Contender<Measured> {
  return withCpu(side, async (seconds) => ({
    ...(await applyLoad({
      url: side.program.url + batchPath,
      token: side.tokens[0] ?? "",
      connections: batchConnections,
      seconds,
      rows: batchRows,
    })),
    setSize: batchRows,
  }));
}

function withCpu(side: Side, run: Contender<Rate>): Contender<Measured> {
  return async (seconds) => {
    const before = side.cpu();
    const rate = await run(seconds);
    const after = side.cpu();
    const transfers = rate.transfersPerSecond * seconds;
    return {
      ...rate,
      coordinatorUs: ((after.coordinatorMs - before.coordinatorMs) * 1_000) / transfers,
      workersUs: ((after.workersMs - before.workersMs) * 1_000) / transfers,
    };
  };
}

function toFinding(
  id: string,
  what: string,
  other: string,
  { first, second, ratio, ratios }: Comparison<Measured, Measured>,
  target?: number,
): Finding {
  return {
    id,
    what: `(citus) ${what}, coordinator and ${workers} workers, settling off`,
    measured: `${describe(first)}, ${describeCpu(first)}`,
    against: `${other}: ${describe(second)}, ${describeCpu(second)}; ratios ${ratios.map((r) => r.toFixed(2)).join(" ")}`,
    ratio,
    ...(target === undefined ? {} : { target }),
    numbers: { cluster: first, against: second, ratios: ratios.map((r) => rounded(r)) },
  };
}

function describeCpu(results: readonly Measured[]): string {
  const coordinator = medianOf(results, ({ coordinatorUs }) => coordinatorUs);
  const others = medianOf(results, ({ workersUs }) => workersUs);
  return `CPU of PostgreSQL ${whole(coordinator)} µs each on the coordinator, ${whole(others)} on workers`;
}

interface Settled {
  readonly transfers: number;
  readonly seconds: number;
  readonly coordinatorUs: number;
  readonly workersUs: number;
}

/** All that was accepted: from the first outcome to the last. */
async function settle(side: Side): Promise<Settled> {
  const before = side.cpu();
  const program = await side.startSettling();
  const deadline = Date.now() + settleLimitMs;
  while (await hasPending(side)) {
    if (Date.now() > deadline) throw new Error("transfers are still pending after five minutes");
    await sleep(pollMs);
  }
  const after = side.cpu();
  await program.end("SIGTERM");
  const [row] = await side.database.query<{ transfers: number; seconds: number }>(sql`
    select count(*) as transfers, extract(epoch from max(ended_at) - min(ended_at))::float8 as seconds from outcomes`);
  if (row === undefined || row.transfers === 0) throw new Error("nothing was settled");
  return {
    ...row,
    coordinatorUs: ((after.coordinatorMs - before.coordinatorMs) * 1_000) / row.transfers,
    workersUs: ((after.workersMs - before.workersMs) * 1_000) / row.transfers,
  };
}

async function hasPending({ database }: Side): Promise<boolean> {
  return (await database.query(sql`select 1 from pending_transfers limit 1`)).length > 0;
}

function toSettling(cluster: Settled, plain: Settled): Finding {
  const rate = ({ transfers, seconds }: Settled) => transfers / seconds;
  const told = (one: Settled) =>
    `${whole(rate(one))}/s, CPU of PostgreSQL ${whole(one.coordinatorUs)} µs each on the coordinator, ${whole(one.workersUs)} on workers`;
  return {
    id: "citus-settling",
    what: `(citus) settling ${whole(cluster.transfers)} of ${companiesMany} companies, coordinator and ${workers} workers`,
    measured: told(cluster),
    against: `one database: ${told(plain)}`,
    ratio: rate(cluster) / rate(plain),
    numbers: { cluster, plain },
  };
}
