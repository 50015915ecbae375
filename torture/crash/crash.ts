import { setTimeout as sleep } from "node:timers/promises";
import { inFolder } from "../in-folder.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import type { Random } from "../random.ts";
import { Shop } from "../traffic/shop.ts";
import { isReady, untilReady } from "../until-ready.ts";
import type { Node } from "./node.ts";
import { Site } from "./site.ts";

const kills = { short: 6, full: 110 } as const;
const answerLimitMs = 60_000;
const recoveryLimitMs = 60_000;
/** A dead worker's turn runs out after 15 seconds, a notification in its hands after 30, a retry comes after 5. */
const quietLimitMs = 180_000;
/** Of the notifications, in the full campaign: the receiver has its own bad moments. */
const receiverFailureRate = 0.01;

/** Mostly there is somebody to talk to before the next blow; sometimes it falls in the middle of a recovery. */
const waitRate = 0.8;
const upLimitMs = 15_000;
const upPollMs = 50;

type Victim = "owner" | "second" | "worker" | "postgres";
const victims: readonly Victim[] = ["owner", "second", "worker", "postgres"];

export const crash: Part = {
  name: "crash",
  promises:
    "Services, a worker and PostgreSQL are killed at random moments: no answer was a lie, nothing happens twice, everything ends, and no event is lost or out of order.",
  run: (campaign) =>
    inFolder(async (folder) => {
      const site = await Site.open(folder);
      try {
        return await killAround(campaign, site);
      } finally {
        await site.close();
      }
    }),
};

async function killAround(campaign: Campaign, site: Site): Promise<PartReport> {
  const { random, progress, scale } = campaign;
  const shop = await Shop.open(site, {
    url: pickService(site, random.fork()),
    random,
    shoppers: 6,
    pauseMs: scale === "full" ? 30 : 10,
    answerLimitMs,
  });
  try {
    if (scale === "full") failSometimes(shop, random.fork());
    shop.start();
    const killed = new Killer(site);
    for (const [count, victim] of planKills(random, kills[scale]).entries()) {
      if (campaign.deadline.aborted) break;
      await sleep(random.integer(50, 1_500));
      if (random.isLikely(waitRate)) await untilUp(site);
      progress(`kill ${count + 1} of ${kills[scale]}: ${victim}`);
      await killed.kill(victim);
    }
    progress("recovering");
    await sleep(300);
    const restarts = await killed.settle();
    await shop.stop();
    const recovery = await Promise.all(
      site.services.map(({ url }) => untilReady(url, recoveryLimitMs)),
    );
    progress("comparing every answer with the books");
    const { counts, findings } = await shop.verify(quietLimitMs, scale);
    const audit = await site.audit();
    await shop.close();
    const ends = await stopAll(site);
    return {
      counts: { ...killed.counts, ...counts },
      findings: [
        ...restarts,
        ...site.nodes.flatMap(({ deaths }) => deaths),
        ...recovery.flat(),
        ...findings,
        ...(audit.code === 0 ? [] : [`the audit says: ${audit.stdout} ${audit.stderr}`]),
        ...ends,
      ],
    };
  } finally {
    await shop.close();
  }
}

/** Everybody at least once, and in any order. */
function planKills(random: Random, count: number): readonly Victim[] {
  const others = Array.from({ length: count - victims.length }, () => random.pick(victims));
  return random.shuffle([...victims, ...others]);
}

/** Callers know both services; whoever is being started again is left out, unless both are. */
function pickService(site: Site, random: Random): () => string {
  let last = "";
  return () => {
    const up = site.services.filter(({ isUp }) => isUp);
    if (up.length > 0) last = random.pick(up).url;
    return last;
  };
}

async function untilUp({ services }: Site): Promise<void> {
  const deadline = performance.now() + upLimitMs;
  while (performance.now() < deadline) {
    const up = services.filter(({ isUp }) => isUp);
    const ready = await Promise.all(up.map(({ url }) => isReady(url, upLimitMs)));
    if (ready.includes(true)) return;
    await sleep(upPollMs);
  }
}

function failSometimes(shop: Shop, random: Random): void {
  shop.receiver.respond = (_received, response) => {
    response.writeHead(random.isLikely(receiverFailureRate) ? 500 : 200).end();
  };
}

class Killer {
  readonly #site: Site;
  readonly #restarts = new Map<Node, Promise<string[]>>();
  readonly counts = { "kills of a service": 0, "of a worker": 0, "of PostgreSQL": 0 };

  constructor(site: Site) {
    this.#site = site;
  }

  async kill(victim: Victim): Promise<void> {
    if (victim === "postgres") {
      this.counts["of PostgreSQL"] += 1;
      await this.#site.killPostgres();
      return;
    }
    this.counts[victim === "worker" ? "of a worker" : "kills of a service"] += 1;
    const node = this.#site[victim];
    // Also in the middle of its start.
    await node.kill();
    this.#restarts.set(node, this.#restart(node, this.#restarts.get(node)));
  }

  /** Waits until everybody is back. */
  async settle(): Promise<string[]> {
    return (await Promise.all(this.#restarts.values())).flat();
  }

  async #restart(node: Node, under: Promise<string[]> | undefined): Promise<string[]> {
    const earlier = (await under) ?? [];
    const killsBefore = this.counts["of PostgreSQL"];
    const before = await this.#site.postgres();
    try {
      if (!node.isUp) await node.start();
    } catch (error) {
      return [...earlier, String(error)];
    }
    // The database survives its service and is taken over.
    const after = await this.#site.postgres();
    const isOurs = before?.accepting !== true || killsBefore !== this.counts["of PostgreSQL"];
    return isOurs || after?.pid === before.pid
      ? earlier
      : [...earlier, `${node.name} started another PostgreSQL in place of the one that ran`];
  }
}

/** In good order, the owner last; PostgreSQL goes with it. */
async function stopAll(site: Site): Promise<string[]> {
  const findings: string[] = [];
  await site.leave();
  for (const node of site.nodes.toReversed()) {
    const code = await node.stop();
    if (code !== 0) findings.push(`${node.name} ended with ${code} when it was asked to stop`);
  }
  if ((await site.postgres()) !== undefined)
    findings.push("PostgreSQL still runs after everybody has left");
  return findings;
}
