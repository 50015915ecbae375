import { chmod } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { guesses } from "../failover/guesses.ts";
import { median } from "../failover/median.ts";
import { Pulse } from "../failover/pulse.ts";
import { onPlace, type Place } from "../ground.ts";
import { inFolder } from "../in-folder.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { Shop } from "../traffic/shop.ts";
import { untilReady } from "../until-ready.ts";
import { nodes, PatroniCluster } from "./cluster.ts";

interface Fault {
  readonly name: string;
  inflict(cluster: PatroniCluster): Promise<void>;
}

/** Longer than the time after which Patroni replaces a leader that says nothing. */
const stillMs = 12_000;
const etcdAwayMs = 8_000;
const standbysAwayMs = 8_000;
const beforeMs = 1_000;
const recoveryLimitMs = 60_000;
const answerLimitMs = 90_000;
const quietLimitMs = 120_000;

const killNode: Fault = {
  name: "the primary's machine is lost",
  async inflict(cluster) {
    const leader = await cluster.leader();
    await cluster.killNode(leader);
    await sleep(stillMs);
    await cluster.leader();
    await cluster.startNode(leader);
  },
};
const killPostgres: Fault = {
  name: "the primary's PostgreSQL is killed",
  async inflict(cluster) {
    await cluster.killPostgres(await cluster.leader());
  },
};
const freezeNode: Fault = {
  name: "the primary's machine stands still",
  async inflict(cluster) {
    const goOn = await cluster.freezeNode(await cluster.leader());
    await sleep(stillMs);
    goOn();
  },
};
const switchOver: Fault = {
  name: "a switchover",
  inflict: (cluster) => cluster.switchOver(),
};
const freezeEtcd: Fault = {
  name: "etcd is away",
  async inflict(cluster) {
    const goOn = await cluster.freezeEtcd();
    await sleep(etcdAwayMs);
    goOn();
  },
};
const freezeStandbys: Fault = {
  name: "both standbys stand still",
  async inflict(cluster) {
    const leader = await cluster.leader();
    const others = nodes.filter((node) => node !== leader);
    const goOn = await Promise.all(others.map((node) => cluster.freezeNode(node)));
    await sleep(standbysAwayMs);
    for (const thaw of goOn) thaw();
  },
};

const plans: Readonly<Record<Campaign["scale"], readonly Fault[]>> = {
  short: [killNode, freezeNode],
  full: [killNode, freezeNode, switchOver, killPostgres, freezeEtcd, freezeStandbys].flatMap(
    (fault) => [fault, fault, fault],
  ),
};

export const patroni: Part = {
  name: "patroni",
  promises:
    "With three servers under Patroni (deploy/ha), whichever is lost, stands still or is replaced, nothing that was acknowledged is lost and nothing happens twice.",
  run: (campaign) =>
    inFolder(async (folder) => {
      // The account that PostgreSQL runs as passes through it.
      await chmod(folder, 0o711);
      campaign.progress("starting three nodes");
      const cluster = await PatroniCluster.start(`${folder}/cluster`);
      if (typeof cluster === "string")
        return { counts: { [`skipped: ${cluster}`]: 0 }, findings: [] };
      try {
        return await onPlace({ databaseUrl: cluster.url }, (place) =>
          attack(campaign, cluster, place),
        );
      } finally {
        await cluster.stop();
      }
    }),
};

async function attack(
  { random, scale, deadline, progress }: Campaign,
  cluster: PatroniCluster,
  place: Place,
): Promise<PartReport> {
  const program = await place.start();
  const shop = await Shop.open(place, {
    url: () => program.url,
    random,
    shoppers: 4,
    pauseMs: 20,
    answerLimitMs,
  });
  try {
    shop.start();
    const pulse = new Pulse(shop);
    const findings: string[] = [];
    const gaps = new Map<string, number[]>();
    const silences: number[] = [];
    const plan = random.shuffle([...plans[scale]]);
    for (const [index, fault] of plan.entries()) {
      if (deadline.aborted) break;
      progress(`fault ${index + 1} of ${plan.length}: ${fault.name}`);
      await sleep(beforeMs);
      const sinceMs = Date.now();
      await fault.inflict(cluster);
      findings.push(...(await untilReady(program.url, recoveryLimitMs)));
      await cluster.untilWell();
      await sleep(beforeMs);
      gaps.set(fault.name, [...(gaps.get(fault.name) ?? []), pulse.gapMs(sinceMs)]);
      silences.push(pulse.silenceMs(sinceMs));
    }
    progress("comparing every answer with the books");
    await pulse.stop();
    await shop.stop();
    const report = await shop.verify(quietLimitMs, scale);
    const audit = await place.auditFindings();
    const medians = [...gaps].map(([name, ms]) => [`ms without a write when ${name}`, median(ms)]);
    return {
      counts: {
        ...(Object.fromEntries(medians) as Record<string, number>),
        "ms without a notification, half of the time": median(silences),
        ...report.counts,
      },
      findings: [...findings, ...guesses(shop.journal), ...report.findings, ...audit],
    };
  } finally {
    await shop.close();
  }
}
