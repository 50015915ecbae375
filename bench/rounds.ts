import { setTimeout as sleep } from "node:timers/promises";
import type { Plan } from "./options.ts";

export type Contender<Result> = (seconds: number) => Promise<Result>;

interface Rate {
  readonly transfersPerSecond: number;
}

export interface Comparison<First, Second> {
  readonly first: readonly First[];
  readonly second: readonly Second[];
  /** The median of the ratios of the rounds, each of two neighbours in time. */
  readonly ratio: number;
  readonly ratios: readonly number[];
}

/** What is still in hand at the end of a round must not weigh on the next one. */
const pauseMs = 300;

/**
 * Lets two contenders run in turns, so that a machine that is slow for a while is slow for both. Every
 * other round runs the other way round, so that neither always comes after the other.
 */
export async function compare<First extends Rate, Second extends Rate>(
  plan: Plan,
  runFirst: Contender<First>,
  runSecond: Contender<Second>,
): Promise<Comparison<First, Second>> {
  await runFirst(plan.warmUpSeconds);
  await sleep(pauseMs);
  await runSecond(plan.warmUpSeconds);

  const first: First[] = [];
  const second: Second[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    const turns = [
      async () => first.push(await runFirst(plan.roundSeconds)),
      async () => second.push(await runSecond(plan.roundSeconds)),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
      await sleep(pauseMs);
      await turn();
    }
  }
  first.splice(0, plan.roundsDropped);
  second.splice(0, plan.roundsDropped);
  const ratios = first.map(
    ({ transfersPerSecond }, round) =>
      transfersPerSecond / (second[round]?.transfersPerSecond ?? Number.NaN),
  );
  return { first, second, ratio: median(ratios), ratios };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

/** The median of one number over the rounds. */
export function medianOf<Result>(
  results: readonly Result[],
  read: (result: Result) => number,
): number {
  return median(results.map(read));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
