import type { PartReport } from "../part.ts";
import type { Neighbour } from "./neighbour.ts";
import { until } from "./scene.ts";
import type { Town } from "./town.ts";

/** What neighbours do while nothing stands still, to compare with. */
const turnsBefore = { short: 3, full: 50 } as const;
const turnsPatienceMs = 60_000;

/** Stalls at the moment that matters, and a company that stands still as a whole, with neighbours who go on. */
export async function stallOnStage(
  { scene, stage, bank, neighbours }: Town,
  rounds: number,
  waitMaxMs: number,
): Promise<PartReport & { readonly stalls: number }> {
  const { random, progress, deadline, scale } = scene.campaign;
  progress("nothing stands still yet");
  for (const neighbour of neighbours) neighbour.start();
  const hadTurns = () => neighbours.every(({ ended }) => ended >= turnsBefore[scale]);
  await until(hadTurns, turnsPatienceMs, deadline);
  const before = takeWaitsMs(neighbours);

  let staged = 0;
  for (let round = 1; round <= rounds && !deadline.aborted; round += 1) {
    progress(`staged stall ${round} of ${rounds}`);
    const isBackendStopped = round % 2 === 0;
    if (await stage.refuseAndStall(random.pick([bank, stage.party]), isBackendStopped)) staged += 1;
  }
  progress("one company stands still");
  const wentOn = await stage.stallCompany(neighbours);
  const meanwhile = takeWaitsMs(neighbours);
  for (const neighbour of neighbours) await neighbour.stop();

  const longestMs = meanwhile.at(-1) ?? 0;
  const isHeldUp = (!wentOn && !deadline.aborted) || longestMs > waitMaxMs;
  return {
    stalls: staged + 1,
    counts: {
      staged,
      "companies held": 1,
      "neighbours' transfers before": before.length,
      "half of them within, ms": before[before.length >> 1] ?? 0,
      "all of them within, ms": before.at(-1) ?? 0,
      "neighbours' transfers meanwhile": meanwhile.length,
      "half of those within, ms": meanwhile[meanwhile.length >> 1] ?? 0,
      "all of those within, ms": longestMs,
    },
    findings: isHeldUp
      ? [
          `a company waited ${longestMs} ms for the end of a transfer while another one's rows were locked`,
        ]
      : [],
  };
}

/** Sorted, in whole milliseconds. */
function takeWaitsMs(neighbours: readonly Neighbour[]): readonly number[] {
  return neighbours
    .flatMap((neighbour) => neighbour.takeWaitsMs())
    .map((waitMs) => Math.round(waitMs))
    .sort((one, other) => one - other);
}
