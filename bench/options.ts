import { parseArgs } from "node:util";

const parts = ["a", "b", "c", "d", "e", "f", "g", "j", "k", "l", "m", "n", "o"] as const;
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
};
const quickPlan: Plan = {
  warmUpSeconds: 0.7,
  rounds: 1,
  roundsDropped: 0,
  roundSeconds: 0.7,
  settleSeconds: 1,
  statementLines: 2_000,
};

export const usage = `npm run bench -- [--quick] [--profile] [--only a,b,c,d,e,f,g,j,k,l,m,n,o] [--output file]

  --quick    seconds instead of minutes: shows that everything runs; its numbers decide nothing
  --profile  shows where the service and PostgreSQL spend their time; the numbers decide nothing then
  --only     some of the parts
  --output   writes the numbers as JSON to this file; a whole run writes bench/results.json by itself`;

/** A short or partial run does not replace the numbers of a whole one, unless it is told where to write. */
export function readOptions(args: readonly string[], resultsPath: string): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      only: { type: "string", default: parts.join(",") },
      output: { type: "string" },
    },
  });
  const names = values.only.split(",");
  const only = new Set(parts.filter((part) => names.includes(part)));
  if (only.size !== names.length) throw new Error(`--only takes some of ${parts.join(",")}`);
  const isWhole = !values.quick && !values.profile && only.size === parts.length;
  return {
    plan: values.quick ? quickPlan : fullPlan,
    only,
    isQuick: values.quick,
    isProfiling: values.profile,
    output: values.output ?? (isWhole ? resultsPath : undefined),
  };
}
