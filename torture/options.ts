import { resolve } from "node:path";
import { parseArgs } from "node:util";

export interface Options {
  readonly seed: number;
  readonly minutes: number;
  /** Names of parts; empty: all. */
  readonly only: readonly string[];
  readonly isShort: boolean;
  readonly stallSeconds: number;
  /** Another checkout, for parts that can try its program. */
  readonly program: string | undefined;
  /** Which database a history is recorded on. */
  readonly on: string;
  /** Where a recorded history goes. */
  readonly historyFile: string | undefined;
  /** Where the report goes, whatever becomes of the campaign; undefined: nobody asked. */
  readonly report: string | undefined;
  /** Where that of a whole campaign goes if it came to its end; undefined: this is none. */
  readonly wholeReport: string | undefined;
}

/** Parts that know a program by its addresses, commands and files alone. */
const portable = ["cost", "findings", "history"];
const databases = ["one", "pair", "patroni", "citus"];
const minutesMax = 24 * 60;
/** Longer than any lease of services whose statements take at most 15 seconds: 30 seconds. */
const stallSecondsDefault = "32";
const stallSecondsMax = 3_600;

export function usage(parts: readonly string[]): string {
  return `npm run torture -- [--seed N] [--minutes M] [--only ${parts.join(",")}] [--short] [--stall S] [--on ${databases.join("|")}] [--history file] [--program DIR] [--report file]

  --seed     repeats the choices of an earlier campaign; without it a new one is made and printed
  --minutes  stops what is still running after this long (60)
  --only     some of the parts
  --short    the seconds of the test suite instead of the minutes of a campaign
  --stall    seconds that something stands still in the part of this name (${stallSecondsDefault}, longer than any lease)
  --on       where the part history has its books: one PostgreSQL (the default), a pair with failover, Patroni's three servers, Citus
  --history  writes the recorded history to this file, one JSON value a line
  --program  tries the program of another checkout, which has to be built there (npm run setup); with --only cost, findings or history
  --report   writes the report as JSON to this file; a whole campaign writes torture/report.json by itself`;
}

/** A short, partial or interrupted campaign does not replace the report of a whole one, unless it is told where to write. */
export function readOptions(
  args: readonly string[],
  parts: readonly string[],
  reportPath: string,
): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string", default: String(Date.now() % 2 ** 31) },
      minutes: { type: "string", default: "60" },
      only: { type: "string", default: "" },
      short: { type: "boolean", default: false },
      stall: { type: "string", default: stallSecondsDefault },
      on: { type: "string", default: "one" },
      history: { type: "string" },
      program: { type: "string" },
      report: { type: "string" },
    },
  });
  const only = values.only === "" ? [] : values.only.split(",");
  const unknown = only.filter((name) => !parts.includes(name));
  if (unknown.length > 0) throw new Error(`--only takes some of ${parts.join(",")}`);
  const canTryOthers = only.length > 0 && only.every((name) => portable.includes(name));
  if (values.program !== undefined && !canTryOthers)
    throw new Error(`--program is for --only ${portable.join(",")}`);
  if (!databases.includes(values.on)) throw new Error(`--on takes one of ${databases.join(", ")}`);
  const isWhole = only.length === 0 && !values.short;
  return {
    seed: readInteger("--seed", values.seed, 0, 2 ** 32 - 1),
    minutes: readInteger("--minutes", values.minutes, 1, minutesMax),
    only,
    isShort: values.short,
    stallSeconds: readInteger("--stall", values.stall, 1, stallSecondsMax),
    program: values.program === undefined ? undefined : resolve(values.program),
    on: values.on,
    historyFile: values.history,
    report: values.report,
    wholeReport: isWhole ? reportPath : undefined,
  };
}

function readInteger(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} takes a whole number from ${least} to ${most}`);
}
