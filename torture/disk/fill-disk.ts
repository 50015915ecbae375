import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/database/sql.ts";
import { Site } from "../crash/site.ts";
import { inFolder } from "../in-folder.ts";
import type { Campaign, PartReport } from "../part.ts";
import { Shop } from "../traffic/shop.ts";
import { untilReady } from "../until-ready.ts";
import { SmallDisk } from "./small-disk.ts";

const rounds = { short: 1, full: 5 } as const;
/** A new database takes some fifty, and its log a few times sixteen. */
const diskMegabytes = 256;
const answerLimitMs = 60_000;
const recoveryLimitMs = 90_000;
const quietLimitMs = 90_000;
const toldLimitMs = 30_000;
const pollMs = 100;

/** The service and its PostgreSQL on a disk that fills up under them. */
export function fillDisk(campaign: Campaign): Promise<PartReport> {
  return inFolder(async (folder) => {
    const small = await SmallDisk.mount(folder, diskMegabytes);
    if (typeof small === "string") {
      campaign.progress(`SKIPPED: ${small}`);
      return { counts: { [`SKIPPED: ${small}`]: 1 }, findings: [] };
    }
    try {
      const site = await Site.open(folder, { isAlone: true });
      try {
        return await fillUnder(campaign, site, small);
      } finally {
        await small.free();
        await site.close();
      }
    } finally {
      await small.unmount();
    }
  });
}

async function fillUnder(campaign: Campaign, site: Site, small: SmallDisk): Promise<PartReport> {
  const { random, scale, deadline, progress } = campaign;
  const url = () => site.owner.url;
  const shop = await Shop.open(site, { url, random, shoppers: 4, pauseMs: 10, answerLimitMs });
  const findings: string[] = [];
  const reasons: Record<string, number> = {};
  let refusedInAll = 0;
  let crashes = 0;
  try {
    for (let round = 0; round < rounds[scale] && !deadline.aborted; round += 1) {
      progress(`a full disk, round ${round + 1} of ${rounds[scale]}`);
      shop.start(`round-${round}`);
      await sleep(500);
      await small.fill();
      const told = await untilTold(url());
      if (told === undefined) findings.push("/readyz did not say that the disk is full");
      else reasons[`told as ${told}`] = (reasons[`told as ${told}`] ?? 0) + 1;
      if (await crampLog(site)) crashes += 1;
      await sleep(random.integer(1_000, 4_000));
      const { status } = await fetch(`${url()}/healthz`);
      if (status !== 200) findings.push(`/healthz answered ${status} while the disk was full`);
      await small.free();
      findings.push(...(await untilReady(url(), recoveryLimitMs)));
      await shop.stop();
      const { requests = 0, successes = 0 } = shop.journal.counts();
      refusedInAll = requests - successes;
    }
    if (refusedInAll === 0) findings.push("a full disk was not even noticed");
    progress("comparing every answer with the books");
    const { counts, findings: found } = await shop.verify(quietLimitMs, scale);
    const audit = await site.audit();
    return {
      counts: {
        "times the disk was full": rounds[scale],
        ...reasons,
        "times PostgreSQL gave up": crashes,
        "requests meanwhile ": counts["requests"] ?? 0,
        "of them not answered with success": refusedInAll,
      },
      findings: [
        ...findings,
        ...found,
        ...(audit.code === 0 ? [] : [`the audit says: ${audit.stdout} ${audit.stderr}`]),
      ],
    };
  } finally {
    await shop.close();
  }
}

/** What /readyz and the metric agree on in the end; PostgreSQL may have given up meanwhile. */
async function untilTold(url: string): Promise<string | undefined> {
  const deadline = performance.now() + toldLimitMs;
  while (performance.now() < deadline) {
    const ready = await fetch(`${url}/readyz`);
    const { reason } = (await ready.json()) as { reason?: string };
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const isTold = reason === "disk_full" || reason === "unreachable";
    if (ready.status === 503 && isTold && metrics.includes("\ncauri_database_up 0\n"))
      return reason;
    await sleep(pollMs);
  }
  return undefined;
}

/**
 * Asks for a new piece of log, for which there is no room. PostgreSQL then ends all its sessions and starts
 * over, as it has to; true when it did.
 */
async function crampLog({ database }: Site): Promise<boolean> {
  try {
    await database.query(sql`select pg_switch_wal()`);
    await database.query(sql`checkpoint`);
    return false;
  } catch {
    return true;
  }
}
