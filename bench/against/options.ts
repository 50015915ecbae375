import { parseArgs } from "node:util";

const parts = ["settle-64", "settle-256", "accept-64", "accept-256", "notifications"] as const;
export type Part = (typeof parts)[number];

/** How long and how often. */
export interface Plan {
  /** Of each round every contender gets a turn at every part. */
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Transfers that every database holds, settled and analysed, before anything is measured. */
  readonly history: number;
  /** Transfers of which the receiver is told, in each turn of that part. */
  readonly backlog: number;
}

export interface Options {
  /** The commit to compare with; undefined: this checkout is looked at alone. */
  readonly commit: string | undefined;
  readonly plan: Plan;
  readonly only: ReadonlySet<Part>;
  /** Looks at one turn of each contender instead of comparing: looking costs time too. */
  readonly look: "profile" | "waits" | undefined;
  /** Where the numbers go; undefined: nowhere. */
  readonly output: string | undefined;
}

const fullPlan: Plan = {
  rounds: 5,
  seconds: 10,
  warmUpSeconds: 3,
  history: 20_000,
  backlog: 15_000,
};
const quickPlan: Plan = { rounds: 1, seconds: 1, warmUpSeconds: 1, history: 1_000, backlog: 1_000 };
const roundsMax = 20;
const secondsMax = 30;

export const usage = `npm run bench -- --against COMMIT [--quick] [--only ${parts.join(",")}]
             [--rounds n] [--seconds n] [--profile | --waits] [--output file]

  --against  builds that commit in a temporary work tree, and runs it and this checkout in turns
  --quick    one round of seconds: shows that everything runs; its numbers decide nothing
  --only     some of the parts
  --rounds   turns of each contender, 1 to ${roundsMax} (${fullPlan.rounds})
  --seconds  length of a turn's load, 1 to ${secondsMax} (${fullPlan.seconds})
  --profile  shows where both services and their PostgreSQL spend their time instead
  --waits    shows what the call that accepts transfers waits for instead; without --against for this
             checkout alone
  --output   writes the numbers as JSON to this file; a whole run writes bench/against.json by itself`;

/** Whether these arguments are for the comparison of commits, and not for the parts by letter. */
export function isAgainst(args: readonly string[]): boolean {
  return args.some((arg) => /^--(?:against|waits)(?:=|$)/.test(arg));
}

/** A short or partial run does not replace the numbers of a whole one, unless it is told where to write. */
export function readAgainstOptions(args: readonly string[], resultsPath: string): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: "string" },
      quick: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      waits: { type: "boolean", default: false },
      only: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      output: { type: "string" },
    },
  });
  if (values.profile && values.waits) throw new Error("--profile and --waits exclude each other");
  // What git would take for an option of its own is no commit.
  if (values.against !== undefined && !/^[^-\s]/.test(values.against))
    throw new Error("--against takes a commit");
  const look = values.profile ? "profile" : values.waits ? "waits" : undefined;
  const base = values.quick ? quickPlan : fullPlan;
  const plan = {
    ...base,
    rounds: look === undefined ? count("rounds", values.rounds, roundsMax, base.rounds) : 1,
    seconds: count("seconds", values.seconds, secondsMax, base.seconds),
  };
  const names = values.only?.split(",") ?? (look === undefined ? [...parts] : ["settle-64"]);
  const only = new Set(parts.filter((part) => names.includes(part)));
  if (only.size !== names.length) throw new Error(`--only takes some of ${parts.join(",")}`);
  const isWhole = plan.rounds >= fullPlan.rounds && plan.seconds >= fullPlan.seconds;
  const isKept = isWhole && !values.quick && look === undefined && only.size === parts.length;
  return {
    commit: values.against,
    plan,
    only,
    look,
    output: values.output ?? (isKept ? resultsPath : undefined),
  };
}

function count(name: string, text: string | undefined, max: number, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max)
    throw new Error(`--${name} takes a whole number from 1 to ${max}`);
  return value;
}
