import { setTimeout as sleep } from "node:timers/promises";
import { onPlace, type Place } from "../ground.ts";
import { inFolder } from "../in-folder.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import type { Program } from "../program.ts";
import { Shop } from "../traffic/shop.ts";
import { type Fault, faults } from "./faults.ts";
import { guesses } from "./guesses.ts";
import { median } from "./median.ts";
import { Pair } from "./pair.ts";
import { Pulse } from "./pulse.ts";

const { kill, switchOver, freeze, blink, comeBack, withhold } = faults;
const plans: Readonly<Record<Campaign["scale"], readonly Fault[]>> = {
  short: [withhold, comeBack, freeze, blink],
  full: [
    ...Array.from({ length: 5 }, () => [kill, switchOver, freeze, blink]).flat(),
    ...Array.from({ length: 3 }, () => [comeBack, withhold]).flat(),
  ],
};
const shoppers = { short: 4, full: 8 } as const;
/** A statement that hangs at a server that stands still, and a look into the books afterwards. */
const answerLimitMs = 60_000;
const quietLimitMs = 90_000;
const saidLimitMs = 20_000;
const pollMs = 50;

export const failover: Part = {
  name: "failover",
  promises:
    "When a standby takes over from the primary, whatever became of that, every answer stays true, nothing is decided on a standby or on a server that was left behind, and the service goes on by itself.",
  run: (campaign) =>
    inFolder(async (folder) => {
      campaign.progress("making a primary and its standby");
      const pair = await Pair.make(folder);
      try {
        return await onPlace({ databaseUrl: pair.url }, (place) => failOver(campaign, pair, place));
      } finally {
        await pair.stop();
      }
    }),
};

async function failOver(campaign: Campaign, pair: Pair, place: Place): Promise<PartReport> {
  const { random, scale, deadline, progress } = campaign;
  const { program, findings } = await startBeforePrimary(pair, place);
  const shop = await Shop.open(place, {
    url: () => program.url,
    random,
    shoppers: shoppers[scale],
    pauseMs: 10,
    answerLimitMs,
  });
  try {
    shop.start();
    const pulse = new Pulse(shop);
    const gaps: number[] = [];
    const silences: number[] = [];
    const plan = scale === "short" ? plans.short : random.shuffle(plans.full);
    let inflicted = 0;
    for (const fault of plan) {
      if (deadline.aborted) break;
      inflicted += 1;
      progress(`fault ${inflicted} of ${plan.length}: ${fault.name}`);
      const sinceMs = Date.now();
      const primary = pair.primary;
      findings.push(...(await fault.inflict({ pair, place, program, shop })));
      if (fault.isFailover) gaps.push(pulse.gapMs(sinceMs));
      if (fault.isFailover) silences.push(pulse.silenceMs(sinceMs));
      const isLast = inflicted === plan.length;
      if (pair.primary === primary) continue;
      // A manager of clusters ends what it left behind. Whoever compares at the end could still read there.
      if (isLast) await pair.standby.kill();
      else await pair.rebuildStandby();
    }
    progress("comparing every answer with the books");
    await pulse.stop();
    await shop.stop();
    const report = await shop.verify(quietLimitMs, scale);
    const audit = await place.auditFindings();
    return {
      counts: {
        faults: inflicted,
        "ms without a write, half of the time": median(gaps),
        "ms at most": Math.max(0, ...gaps),
        "ms without a notification, half of the time": median(silences),
        ...report.counts,
      },
      findings: [...findings, ...guesses(shop.journal), ...report.findings, ...audit],
    };
  } finally {
    await shop.close();
  }
}

/** A service whose primary comes later waits for it, and says for what; commands find it among the servers. */
async function startBeforePrimary(
  pair: Pair,
  place: Place,
): Promise<{ readonly program: Program; readonly findings: string[] }> {
  const findings: string[] = [];
  await pair.primary.stop();
  const program = place.launch({ LOG_LEVEL: "info" });
  const deadline = performance.now() + saidLimitMs;
  while (!program.output.includes("cannot be used yet") && performance.now() < deadline)
    await sleep(pollMs);
  await pair.primary.start();
  await program.ready();
  for (const [server, problem] of [
    [pair.standby, "is a standby"],
    [pair.primary, "cannot be reached"],
  ] as const)
    if (!program.output.includes(`${server.name} ${problem}`))
      findings.push(`a start did not say that ${server.name} ${problem}`);
  const { code, stderr } = await place.command(["company", "list"]);
  if (code !== 0) findings.push(`a command did not find the primary: ${stderr}`);
  return { program, findings };
}
