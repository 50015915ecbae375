import assert from "node:assert/strict";
import { onPlace } from "../ground.ts";
import type { Campaign, Part, PartReport, Scale } from "../part.ts";
import { longestLeaseMs } from "./leases.ts";
import { stallOnStage } from "./on-stage.ts";
import { type Amounts, planStalls } from "./stalls.ts";
import { openTown, type TownOptions } from "./town.ts";
import { verifyTown } from "./verify-town.ts";
import { stallInWaves } from "./waves.ts";

interface Act extends TownOptions {
  /** Stalls in the one place where a settlement that is not fenced pays a failed transfer out. */
  readonly staged: number;
  readonly amounts: Amounts;
  /** The stalls of a wave overlap. */
  readonly waves: number;
  /** The longest that a company may wait for the end of a transfer while another one's rows are locked. */
  readonly waitMaxMs: number;
}

/** Whoever was stopped is far behind when it goes on, and refuses nothing for that here. */
const settings = { EVENT_LOOP_DELAY_MAX_MS: "0" };
/** No statement gives up before a stall is over. Leases are longer still, so they are ended by hand. */
const patient = { ...settings, DATABASE_TIMEOUT_MS: "120000" };
/** Leases are as short as they can be, and a stall outlasts them. Charges expire meanwhile. */
const brisk = { ...settings, DATABASE_TIMEOUT_MS: "15000", CHARGE_LIFETIME_SECONDS: "60" };

const none: Amounts = { services: 0, backends: 0, tables: 0, rows: 0 };

const acts: Record<Scale, readonly Act[]> = {
  short: [
    {
      settings: patient,
      people: 2,
      shops: 2,
      shoppersEach: 1,
      shopperPauseMs: 100,
      neighbours: 2,
      staged: 2,
      amounts: { services: 1, backends: 1, tables: 1, rows: 1 },
      waves: 2,
      // Only a campaign judges times: here the rows stay locked until the neighbours had their turns.
      waitMaxMs: Number.POSITIVE_INFINITY,
    },
  ],
  full: [
    {
      settings: patient,
      people: 3,
      shops: 2,
      shoppersEach: 2,
      shopperPauseMs: 60,
      neighbours: 2,
      staged: 6,
      amounts: none,
      waves: 0,
      waitMaxMs: 5_000,
    },
    {
      settings: brisk,
      people: 6,
      shops: 3,
      shoppersEach: 3,
      shopperPauseMs: 60,
      neighbours: 0,
      staged: 0,
      amounts: { services: 4, backends: 12, tables: Number.POSITIVE_INFINITY, rows: 21 },
      waves: 5,
      waitMaxMs: Number.POSITIVE_INFINITY,
    },
  ],
};
const stallsMin = { short: 4, full: 60 };

export const stall: Part = {
  name: "stall",
  promises:
    "Services and backends stop and go on, tables and rows are locked, each for longer than any lease: no failed transfer is paid out, none is lost or paid twice, and no company waits for another.",
  async run(campaign) {
    const counts: Record<string, number> = {};
    const findings: string[] = [];
    for (const act of acts[campaign.scale]) {
      const report = await perform(campaign, act);
      for (const [what, count] of Object.entries(report.counts))
        counts[what] = (counts[what] ?? 0) + count;
      findings.push(...report.findings);
    }
    const { stalls = 0 } = counts;
    const isEnough = stalls >= stallsMin[campaign.scale] || campaign.deadline.aborted;
    return {
      counts,
      findings: isEnough ? findings : [`only ${stalls} stalls could be begun`, ...findings],
    };
  },
};

function perform(campaign: Campaign, act: Act): Promise<PartReport> {
  if (campaign.scale === "full" && act.waves > 0)
    assert(campaign.stallMs > longestLeaseMs(act.settings), "a stall is longer than any lease");
  return onPlace({}, async (place) => {
    const town = await openTown(campaign, place, act);
    try {
      for (const shop of town.shops) shop.start();
      const staged =
        act.staged === 0 ? undefined : await stallOnStage(town, act.staged, act.waitMaxMs);
      const stalls = await planStalls(town.scene, campaign.random, act.amounts);
      const begun = await stallInWaves(town, stalls, act.waves);
      const begunCount = Object.values(begun).reduce((sum, count) => sum + count, 0);
      campaign.progress("going on");
      await Promise.all(town.shops.map((shop) => shop.stop()));
      campaign.progress("comparing answers, wallets and books");
      const { counts, findings } = await verifyTown(town);
      return {
        counts: {
          stalls: (staged?.stalls ?? 0) + begunCount,
          ...staged?.counts,
          ...begun,
          "not to be had": stalls.length - begunCount,
          ...counts,
        },
        findings: [...(staged?.findings ?? []), ...findings],
      };
    } finally {
      await town.close();
    }
  });
}
