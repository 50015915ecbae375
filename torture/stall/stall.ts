import { onPlace } from "../ground.ts";
import type { Campaign, Part, PartReport, Scale } from "../part.ts";
import { type Amounts, planStalls } from "./stalls.ts";
import { openTown, type Town, type TownOptions } from "./town.ts";
import { verifyTown } from "./verify-town.ts";
import { stallInWaves } from "./waves.ts";

interface Plan extends TownOptions {
  /** Stalls in the one place where a settlement that is not fenced pays a failed transfer out. */
  readonly staged: number;
  readonly amounts: Amounts;
  /** The stalls of a wave overlap. */
  readonly waves: number;
  /** The longest that a company may wait for the end of a transfer while another one's rows are locked. */
  readonly waitMaxMs: number;
}

/** Nothing that waits gives up before the stall is over: of one service in a campaign, of both in its short cut. */
const patient = { DATABASE_TIMEOUT_MS: "120000" };
/** Whoever was stopped is far behind when it goes on, and refuses nothing for that here. */
const settings = { EVENT_LOOP_DELAY_MAX_MS: "0" };

const plans: Record<Scale, Plan> = {
  short: {
    settings: [
      { ...settings, ...patient },
      { ...settings, ...patient },
    ],
    people: 2,
    shops: 2,
    shoppersEach: 1,
    shopperPauseMs: 100,
    neighbours: 2,
    staged: 1,
    amounts: { services: 1, backends: 1, tables: 1, rows: 1 },
    waves: 2,
    // Only a campaign judges times: here the rows stay locked until the neighbours had their turns.
    waitMaxMs: Number.POSITIVE_INFINITY,
  },
  full: {
    settings: [settings, { ...settings, ...patient }],
    people: 6,
    shops: 3,
    shoppersEach: 3,
    shopperPauseMs: 60,
    neighbours: 2,
    staged: 4,
    amounts: { services: 4, backends: 12, tables: Number.POSITIVE_INFINITY, rows: 21 },
    waves: 3,
    waitMaxMs: 10_000,
  },
};

export const stall: Part = {
  name: "stall",
  promises:
    "Services and backends stop and go on, tables and rows are locked, each for longer than any lease: no failed transfer is paid out, none is lost or paid twice, and no company waits for another.",
  run: (campaign) =>
    onPlace({}, async (place) => {
      const plan = plans[campaign.scale];
      const town = await openTown(campaign, place, plan);
      try {
        return await standStill(campaign, town, plan);
      } finally {
        await town.close();
      }
    }),
};

async function standStill(campaign: Campaign, town: Town, plan: Plan): Promise<PartReport> {
  const { random, progress, deadline } = campaign;
  const { scene, shops, stage, neighbours, bank } = town;
  for (const user of [...shops, ...neighbours]) user.start();
  let staged = 0;
  for (let round = 1; round <= plan.staged && !deadline.aborted; round += 1) {
    progress(`staged stall ${round} of ${plan.staged}`);
    if (await stage.refuseAndStall(random.pick([bank, stage.party]))) staged += 1;
  }
  progress("one company stands still");
  const hadTurns = await stage.stallCompany(neighbours);
  const longestMs = Math.round(Math.max(...neighbours.map((neighbour) => neighbour.longestMs)));
  const turns = neighbours.reduce((sum, { ended }) => sum + ended, 0);
  for (const neighbour of neighbours) await neighbour.stop();

  const stalls = await planStalls(scene, random, plan.amounts);
  const begun = await stallInWaves(town, stalls, plan.waves);
  const begunCount = Object.values(begun).reduce((sum, count) => sum + count, 0);
  progress("going on");
  await Promise.all(shops.map((shop) => shop.stop()));
  progress("comparing answers, wallets and books");
  const { counts, findings } = await verifyTown(town);
  const isHeldUp = (!hadTurns && !deadline.aborted) || longestMs > plan.waitMaxMs;
  const heldUp = `a company waited ${longestMs} ms for the end of a transfer while another one's rows were locked`;
  return {
    counts: {
      stalls: staged + 1 + begunCount,
      staged,
      "companies held": 1,
      ...begun,
      "not to be had": stalls.length - begunCount,
      "neighbours' transfers meanwhile": turns,
      "longest wait of a neighbour, ms": longestMs,
      ...counts,
    },
    findings: [...(isHeldUp ? [heldUp] : []), ...findings],
  };
}
