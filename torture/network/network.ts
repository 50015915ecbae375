import { setTimeout as sleep } from "node:timers/promises";
import { onPlace, type Place } from "../ground.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { Shop } from "../traffic/shop.ts";
import { untilReady } from "../until-ready.ts";
import { faults } from "./faults.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** How often each kind of fault is inflicted. */
const rounds = { short: 1, full: 12 } as const;
/** Enough that there is a commit to run into. */
const shoppers = { short: 6, full: 12 } as const;
/** Shorter than in earnest, so that black holes are found out while the campaign looks. */
const statementTimeoutMs = 1_000;
/** Several times what a request takes at worst: its place in the queue, one timeout, one look into the books. */
const answerLimitMs = 40_000;
const recoveryLimitMs = 30_000;
const quietLimitMs = 90_000;

export const network: Part = {
  name: "network",
  promises:
    "However the connection to PostgreSQL breaks, also inside a commit, every answer is true, none is missing, and the service recovers by itself.",
  run: (campaign) => onPlace({}, (place) => breakConnections(campaign, place)),
};

async function breakConnections(campaign: Campaign, place: Place): Promise<PartReport> {
  const { random, deadline, progress } = campaign;
  const proxy = await TcpProxy.before(place.databaseUrl);
  try {
    const program = await place.start({
      DATABASE_URL: proxy.rewrite(place.databaseUrl),
      DATABASE_TIMEOUT_MS: String(statementTimeoutMs),
    });
    const shop = await Shop.open(place, {
      url: () => program.url,
      random,
      shoppers: shoppers[campaign.scale],
      pauseMs: 10,
      answerLimitMs,
    });
    try {
      shop.start();
      const plan = Array.from({ length: rounds[campaign.scale] }, () => faults).flat();
      let inflicted = 0;
      for (const fault of random.shuffle(plan)) {
        if (deadline.aborted) break;
        inflicted += 1;
        progress(`fault ${inflicted} of ${plan.length}: ${fault.name}`);
        await fault.inflict(proxy, random);
        await sleep(random.integer(50, 500));
      }
      proxy.heal();
      progress("recovering");
      await shop.stop();
      const recovery = await untilReady(program.url, recoveryLimitMs);
      progress("comparing every answer with the books");
      const { counts, findings } = await shop.verify(quietLimitMs, campaign.scale);
      const audit = await place.auditFindings();
      return {
        counts: { faults: inflicted, "faults inside a commit": proxy.sprung, ...counts },
        findings: [...recovery, ...findings, ...audit],
      };
    } finally {
      await shop.close();
    }
  } finally {
    await proxy.close().catch(() => {});
  }
}
