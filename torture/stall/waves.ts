import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/database/sql.ts";
import { assertOutlasting, lapseLeases } from "./leases.ts";
import { type Scene, until } from "./scene.ts";
import { ownSessions, type Stall } from "./stalls.ts";
import type { Town } from "./town.ts";

/** The stalls of a wave begin within this time, tables first, and last up to so much longer than asked for. */
const spreadMs = 3_000;
/** Between two waves everything flows. */
const breathMs = 4_000;
const idlePatienceMs = 10_000;
/** In the short cut a stall is over when traffic had the time to run into it. */
const shortStallMs = 1_000;

export type Begun = Readonly<Record<Stall["kind"], number>>;

/**
 * Stalls that overlap, wave after wave. They fall into the middle of traffic, where many a lock is not to be had: what
 * could not be begun is tried again in the next wave. Before the last one traffic pauses, and nobody is in the way.
 */
export async function stallInWaves(
  { scene, shops }: Town,
  stalls: readonly Stall[],
  waves: number,
): Promise<Begun> {
  const { random, progress, deadline, scale, stallMs } = scene.campaign;
  const begun = {
    "services stopped": 0,
    "backends stopped": 0,
    "tables locked": 0,
    "sets of rows locked": 0,
  };
  let waiting = stalls;
  for (let number = 1; number <= waves && !deadline.aborted; number += 1) {
    const size = Math.ceil(waiting.length / (waves - number + 1));
    const wave = waiting.slice(0, size);
    progress(`wave ${number} of ${waves}: ${size} stalls`);
    const isQuiet = number === waves;
    if (isQuiet) {
      await Promise.all(shops.map((shop) => shop.stop()));
      await untilIdle(scene);
    }
    if (scale === "full") await assertOutlasting(scene.place.database, scene.catalog, stallMs);
    const tables = wave.filter(({ kind }) => kind === "tables locked");
    const others = wave.filter(({ kind }) => kind !== "tables locked");
    const locked = tables.map((stall) => stall.begin());
    if (isQuiet) {
      await Promise.allSettled(locked);
      for (const shop of shops) shop.start("last ");
    }
    const delays = others.map(() => (scale === "full" ? random.integer(0, spreadMs) : 0));
    const inflictions = await Promise.allSettled([
      ...locked.map((begins) => outlast(scene, begins)),
      ...others.map(async (stall, index) => {
        await until(() => false, delays[index] ?? 0, deadline);
        return outlast(scene, stall.begin());
      }),
    ]);
    const again: Stall[] = [];
    for (const [index, stall] of [...tables, ...others].entries()) {
      const infliction = inflictions[index];
      if (infliction?.status === "rejected") throw infliction.reason;
      if (infliction?.value === true) begun[stall.kind] += 1;
      else again.push(stall);
    }
    waiting = [...waiting.slice(size), ...again];
    if (scale === "full") await until(() => false, breathMs, deadline);
  }
  return begun;
}

/** Whoever is in the middle of something would get stuck at the first locked table with the others in hand. */
async function untilIdle({ place, campaign }: Scene): Promise<void> {
  const isIdle = async () => {
    const busy = await place.database.query(sql`
      select 1 from pg_stat_activity
      where backend_type = 'client backend' and xact_start is not null
        and application_name <> all (${ownSessions})`);
    return busy.length === 0;
  };
  await until(isIdle, idlePatienceMs, campaign.deadline);
}

/** Ends a stall when it has lasted; false when it could not be begun. */
async function outlast(
  { campaign, place, catalog }: Scene,
  begins: ReturnType<Stall["begin"]>,
): Promise<boolean> {
  const { scale, deadline, random, stallMs } = campaign;
  const end = await begins;
  if (end === undefined) return false;
  try {
    if (scale === "full") await until(() => false, stallMs + random.integer(0, spreadMs), deadline);
    else {
      // Behind a stopped backend even this may have to wait until it goes on.
      const lapsed = lapseLeases(place.database, catalog);
      await Promise.race([lapsed.then(() => sleep(shortStallMs)), sleep(2 * shortStallMs)]);
    }
  } finally {
    await end();
  }
  return true;
}
