import { rounded, toMarkdown, whole } from "../report.ts";
import { median } from "../rounds.ts";
import type { Told } from "./notifications.ts";
import type { Part } from "./options.ts";
import type { Turn } from "./transfers.ts";

/** One part of one round: what each contender showed. */
export interface Round {
  readonly here: Turn | Told;
  readonly other: Turn | Told;
  readonly bare: Turn | Told;
}

type Quantity = keyof Turn;

/** One line of the table: a number of every turn, medians, and ratios of turns that were neighbours in time. */
export interface Measure {
  readonly part: Part;
  readonly what: string;
  readonly here: number;
  readonly other: number;
  readonly ratio: number;
  readonly ratioMin: number;
  readonly ratioMax: number;
  /** Only of what the bare contender does too. */
  readonly bare?: number;
  readonly hereToBare?: number;
  readonly otherToBare?: number;
  readonly rounds: {
    readonly here: readonly number[];
    readonly other: readonly number[];
    readonly bare: readonly number[];
  };
}

const parts: Record<Part, { readonly name: string; readonly quantities: readonly Quantity[] }> = {
  "settle-64": {
    name: "accepted and settled, 64 connections",
    quantities: [
      "perSecond",
      "serviceCpuUs",
      "postgresCpuUs",
      "walBytes",
      "pageImageBytes",
      "diskBytes",
    ],
  },
  "settle-256": {
    name: "accepted and settled, 256 connections",
    quantities: ["perSecond", "serviceCpuUs", "postgresCpuUs", "walBytes"],
  },
  "accept-64": {
    name: "accepted, 64 connections",
    quantities: ["perSecond", "p50Ms", "p99Ms", "serviceCpuUs", "postgresCpuUs", "walBytes"],
  },
  "accept-256": {
    name: "accepted, 256 connections",
    quantities: ["perSecond", "p50Ms", "p99Ms"],
  },
  notifications: {
    name: "notifications of a backlog",
    quantities: ["perSecond", "serviceCpuUs", "postgresCpuUs"],
  },
};

const words: Record<Quantity, string> = {
  perSecond: "a second",
  p50Ms: "answered within, p50, ms",
  p99Ms: "answered within, p99, ms",
  serviceCpuUs: "CPU of the service for each, µs",
  postgresCpuUs: "CPU of PostgreSQL for each, µs",
  walBytes: "WAL for each without page images, bytes",
  pageImageBytes: "page images in the WAL for each, bytes",
  diskBytes: "disk for each at rest, bytes",
};

/** What was measured of one part. What the system did not tell is left out. */
export function toMeasures(part: Part, rounds: readonly Round[]): Measure[] {
  const { name, quantities } = parts[part];
  return quantities.flatMap((quantity) => {
    const read = (who: keyof Round) =>
      rounds.flatMap((round) => (round[who] as Partial<Turn>)[quantity] ?? []);
    const [here, other, bare] = [read("here"), read("other"), read("bare")];
    if (here.length !== rounds.length || other.length !== rounds.length) return [];
    const ratios = toRatios(here, other);
    // The times of answers of something a hundred times as fast say nothing.
    const hasBare = quantity === "perSecond" && bare.length === rounds.length;
    return [
      {
        part,
        what: `${name}: ${words[quantity]}`,
        here: median(here),
        other: median(other),
        ratio: median(ratios),
        ratioMin: Math.min(...ratios),
        ratioMax: Math.max(...ratios),
        ...(hasBare
          ? {
              bare: median(bare),
              hereToBare: median(toRatios(here, bare)),
              otherToBare: median(toRatios(other, bare)),
            }
          : {}),
        rounds: { here, other, bare: hasBare ? bare : [] },
      },
    ];
  });
}

function toRatios(ones: readonly number[], others: readonly number[]): number[] {
  return ones.map((one, round) => one / (others[round] ?? Number.NaN));
}

export function toAgainstTable(here: string, other: string, measures: readonly Measure[]): string {
  const ratio = (value: number | undefined) => (value === undefined ? "" : value.toFixed(2));
  return toMarkdown(
    ["what", here, other, "ratio", "in rounds", "bare", `${here} ÷ bare`, `${other} ÷ bare`],
    measures.map((measure) => [
      measure.what,
      short(measure.here),
      short(measure.other),
      `${ratio(measure.ratio)} ×`,
      `${ratio(measure.ratioMin)} – ${ratio(measure.ratioMax)}`,
      measure.bare === undefined ? "" : short(measure.bare),
      ratio(measure.hereToBare),
      ratio(measure.otherToBare),
    ]),
  );
}

function short(value: number): string {
  return value < 100 ? value.toFixed(1) : whole(value);
}

/** Enough digits to compare runs, few enough to read. */
export function toJson(value: unknown): string {
  const round = (_key: string, one: unknown) => (typeof one === "number" ? rounded(one) : one);
  return `${JSON.stringify(value, round, 2)}\n`;
}
