import { expect } from "vitest";
import type { Campaign, Part } from "../../torture/part.ts";
import { Random } from "../../torture/random.ts";

/** Long enough for a slow machine that does other things too; it only has to catch what hangs. */
export const shortTimeoutMs = 600_000;

/** Seconds instead of minutes. */
export function shortCampaign(seed: number): Campaign {
  return {
    seed,
    random: new Random(seed),
    scale: "short",
    deadline: AbortSignal.timeout(shortTimeoutMs),
    stallMs: 0,
    program: undefined,
    on: "one",
    historyFile: undefined,
    progress: () => {},
    note: () => {},
  };
}

/** Runs a part's short cut, which must find nothing. The seed is in the message when it does. */
export async function expectNoFindings(part: Part, seed = Date.now() % 2 ** 32): Promise<void> {
  const report = await part.run(shortCampaign(seed));
  expect(report.findings, `seed ${seed}`).toEqual([]);
}
