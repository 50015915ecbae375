import { onPlace, type Place } from "../ground.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { Client } from "../traffic/client.ts";
import { attackCharges } from "./charges.ts";
import { attackCodes } from "./codes.ts";
import { attackIds } from "./ids.ts";
import { attackRateLimits } from "./rate-limits.ts";
import { attackWebhooks } from "./webhooks.ts";
import { WrongClock } from "./wrong-clock.ts";

const hourMs = 3_600_000;
const rounds = { short: 1, full: 10 } as const;
const answerLimitMs = 60_000;
/** Short, so that both too early and too late can be seen; the clocks are wrong by hours. */
const chargeLifetimeSeconds = 4;

/** Two services on one database that disagree about the time, and what the attacks have in common. */
export interface Disagreement {
  readonly campaign: Campaign;
  readonly place: Place;
  readonly company: { readonly id: string; readonly accessToken: string };
  readonly ahead: WrongClock;
  readonly behind: WrongClock;
  readonly clientOf: (clock: WrongClock) => Client;
  readonly round: number;
}

const attacks = [attackCharges, attackCodes, attackWebhooks, attackIds, attackRateLimits];

export const clock: Part = {
  name: "clock",
  promises:
    "Services whose clocks are hours ahead, hours behind and jumping change nothing: charges and codes end on time, notifications keep their schedule, ids and pages stay in order.",
  run: (campaign) => onPlace({}, (place) => disagree(campaign, place)),
};

async function disagree(campaign: Campaign, place: Place): Promise<PartReport> {
  const { random, scale, deadline, progress } = campaign;
  const settings = { CHARGE_LIFETIME_SECONDS: String(chargeLifetimeSeconds) };
  const hours = () => random.integer(2, 200);
  const [ahead, behind] = await Promise.all([
    WrongClock.start(place, hours() * hourMs, settings),
    WrongClock.start(place, -hours() * hourMs, settings),
  ]);
  const company = await place.makeCompany({ name: "Torture", fund: 1_000_000_000 });
  const { accessToken: token } = company;
  const clients = new Map(
    [ahead, behind].map((one) => [one, new Client({ token, url: () => one.url, answerLimitMs })]),
  );
  const clientOf = (one: WrongClock) => clients.get(one) as Client;

  const findings: string[] = [];
  const counts: Record<string, number> = { "clock jumps": 0 };
  try {
    for (let round = 0; round < rounds[scale] && !deadline.aborted; round += 1) {
      progress(`round ${round + 1} of ${rounds[scale]}`);
      const scene = { campaign, place, company, ahead, behind, clientOf, round };
      for (const attack of attacks) {
        const report = await attack(scene);
        findings.push(...report.findings);
        for (const [what, count] of Object.entries(report.counts))
          counts[what] = (counts[what] ?? 0) + count;
      }
      await ahead.jumpTo(hours() * hourMs);
      await behind.jumpTo(-hours() * hourMs);
      counts["clock jumps"] = (counts["clock jumps"] ?? 0) + 2;
    }
    const oddities = [...clients.values()].flatMap((client) => client.oddities);
    return { counts, findings: [...findings, ...oddities, ...(await place.auditFindings())] };
  } finally {
    for (const client of clients.values()) await client.close();
  }
}
