import fc from "fast-check";
import type { Place } from "../ground.ts";
import type { Campaign } from "../part.ts";
import { chargeCommands } from "./charge-commands.ts";
import { compareAll } from "./compare.ts";
import { otherCommands } from "./other-commands.ts";
import { transferCommands } from "./transfer-commands.ts";
import { World } from "./world.ts";

const commandsPerRun = 70;
const runsAtOnce = 3;

let worlds = 0;

/**
 * Sequences of commands, held against the model after each of them. Several sequences go on at once, each
 * with a company of its own; a failure is shrunk to the shortest sequence that shows it.
 */
export async function runCommands(
  campaign: Campaign,
  place: Place,
  url: string,
  target: number,
): Promise<{ readonly commands: number; readonly runs: number; readonly findings: string[] }> {
  const { random, deadline, progress } = campaign;
  const total = { commands: 0, runs: 0 };
  const findings: string[] = [];
  const lanes = Array.from({ length: runsAtOnce }, async () => {
    while (total.commands < target && findings.length === 0 && !deadline.aborted) {
      const seed = random.integer(0, 2 ** 31 - 1);
      const details = await fc.check(oneSequence(place, url, total), { seed, numRuns: 1 });
      total.runs += 1;
      progress(`${total.commands} of ${target} commands`);
      if (details.failed)
        findings.push(`${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}`);
    }
  });
  await Promise.all(lanes);
  return { ...total, findings };
}

function oneSequence(place: Place, url: string, total: { commands: number }) {
  const commands = fc.commands([...transferCommands, ...chargeCommands, ...otherCommands], {
    maxCommands: commandsPerRun,
    size: "max",
  });
  return fc.asyncProperty(commands, async (sequence) => {
    worlds += 1;
    const { world, books } = await World.open(place, url, worlds);
    try {
      await fc.asyncModelRun(() => ({ model: books, real: world }), sequence);
      await compareAll(books, world);
    } finally {
      total.commands += world.commands;
      await world.close();
    }
    if (world.client.oddities.length > 0) throw new Error(world.client.oddities.join("\n"));
  });
}
