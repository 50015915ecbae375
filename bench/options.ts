import { parseArgs } from "node:util";

/** Measured when they are named: two fill gigabytes, the other needs what few machines have. */
const occasional = ["growth", "audit", "citus"] as const;
const usual = ["a", "b", "c", "d", "e", "f", "g", "j", "k", "l", "m", "n", "o"] as const;
const parts = [...usual, ...occasional] as const;
export type Part = (typeof parts)[number];

/** How long and how often. */
export interface Plan {
  readonly warmUpSeconds: number;
  readonly rounds: number;
  /** The first rounds, which do not count. */
  readonly roundsDropped: number;
  readonly roundSeconds: number;
  readonly settleSeconds: number;
  /** Of the statement that is read and exported. */
  readonly statementLines: number;
  /** Of the company with years behind it, and how long each thing is done there and in a new one. */
  readonly grownTransfers: number;
  readonly growthSeconds: number;
  /** At how many places of it. */
  readonly growthSpots: number;
  /** That come after an audit. */
  readonly dayTransfers: number;
}

export interface Options {
  readonly plan: Plan;
  readonly only: ReadonlySet<Part>;
  readonly isQuick: boolean;
  /** Shows where the time goes instead of judging it: looking costs time too. */
  readonly isProfiling: boolean;
  /** Where the numbers go; undefined: nowhere. */
  readonly output: string | undefined;
}

const fullPlan: Plan = {
  warmUpSeconds: 3,
  rounds: 6,
  roundsDropped: 1,
  roundSeconds: 5,
  settleSeconds: 15,
  statementLines: 100_000,
  grownTransfers: 10_000_000,
  growthSeconds: 15,
  growthSpots: 200,
  dayTransfers: 100_000,
};
const quickPlan: Plan = {
  warmUpSeconds: 0.7,
  rounds: 1,
  roundsDropped: 0,
  roundSeconds: 0.7,
  settleSeconds: 1,
  statementLines: 2_000,
  grownTransfers: 95_000,
  growthSeconds: 0.7,
  growthSpots: 20,
  dayTransfers: 2_000,
};

export const usage = `npm run bench -- [--quick] [--profile] [--only a,b,c,d,e,f,g,j,k,l,m,n,o,growth,audit,citus] [--rows n] [--output file]

  --quick    seconds instead of minutes: shows that everything runs; its numbers decide nothing
  --profile  shows where the service and PostgreSQL spend their time; the numbers decide nothing then
  --only     some of the parts; growth and audit, which fill 13 GB, and citus, which needs that installed, run only when named
  --rows     how many transfers growth and audit fill in, instead of 10 000 000
  --output   writes the numbers as JSON to this file; a whole run writes bench/results.json by itself`;

/** A short or partial run does not replace the numbers of a whole one, unless it is told where to write. */
export function readOptions(args: readonly string[], resultsPath: string): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      only: { type: "string", default: usual.join(",") },
      rows: { type: "string" },
      output: { type: "string" },
    },
  });
  const names = values.only.split(",");
  const only = new Set(parts.filter((part) => names.includes(part)));
  if (only.size !== names.length) throw new Error(`--only takes some of ${parts.join(",")}`);
  const isWhole =
    !values.quick &&
    !values.profile &&
    usual.every((part) => only.has(part)) &&
    only.size === usual.length;
  const plan = values.quick ? quickPlan : fullPlan;
  const grownTransfers = Number(values.rows ?? plan.grownTransfers);
  if (!Number.isSafeInteger(grownTransfers) || grownTransfers < 5_000)
    throw new Error("--rows takes a number of transfers, at least 5000");
  return {
    plan: { ...plan, grownTransfers },
    only,
    isQuick: values.quick,
    isProfiling: values.profile,
    output: values.output ?? (isWhole ? resultsPath : undefined),
  };
}
