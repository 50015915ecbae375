import { chmod } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { guesses } from "../failover/guesses.ts";
import { median } from "../failover/median.ts";
import { Pulse } from "../failover/pulse.ts";
import { onPlace, type Place } from "../ground.ts";
import { inFolder } from "../in-folder.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { Client } from "../traffic/client.ts";
import { Shop } from "../traffic/shop.ts";
import { untilReady } from "../until-ready.ts";
import { PatroniCluster } from "./cluster.ts";
import { type Fault, faults, type Scene } from "./faults.ts";
import { Haproxy } from "./haproxy.ts";

const beforeMs = 1_000;
/** Patroni turns once a second, and the cluster is well again just after a turn: a fault comes at any moment of the next one. */
const turnMs = 1_000;
const recoveryLimitMs = 60_000;
const answerLimitMs = 90_000;
const quietLimitMs = 120_000;
/** For a killed node where the leader's time to live is five seconds; Patroni from 3.2 on has twenty. */
const gapMaxMs = 6_000;
const haproxyPort = 15_470;

const { killNode, killPostgres, freezeNode, switchOver, freezeEtcd, freezeStandbys, isolate } =
  faults;

const killService: Fault = {
  name: "the service is killed",
  inflict: (scene) => scene.killService(),
};

/** How often each. */
const fullPlan: readonly (readonly [times: number, fault: Fault])[] = [
  [7, killNode],
  [3, killPostgres],
  [3, freezeNode],
  [2, switchOver],
  [2, freezeEtcd],
  [1, freezeStandbys],
  [2, isolate],
  [5, killService],
];

const plans: Readonly<Record<Campaign["scale"], readonly Fault[]>> = {
  short: [killNode, freezeNode],
  full: fullPlan.flatMap(([times, fault]) => Array.from({ length: times }, () => fault)),
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
  campaign: Campaign,
  cluster: PatroniCluster,
  place: Place,
): Promise<PartReport> {
  const { random, scale, deadline, progress } = campaign;
  let program = await place.start();
  const behindProxy = await startBehindProxy(cluster, place);
  const shop = await Shop.open(place, {
    url: () => program.url,
    random,
    shoppers: 4,
    pauseMs: 20,
    answerLimitMs,
  });
  const scene: Scene = {
    cluster,
    async killService() {
      await program.end("SIGKILL");
      program = await place.start();
    },
  };
  const clients: Client[] = [];
  try {
    shop.start();
    const pulse = new Pulse(shop);
    const pulses = [pulse];
    if (behindProxy !== undefined) {
      const { accessToken: token } = shop.company;
      const client = new Client({ token, url: () => behindProxy.url, answerLimitMs });
      clients.push(client);
      pulses.push(new Pulse(shop, "proxied", client));
    }
    const findings: string[] = [];
    const gaps = new Gaps();
    const plan = random.shuffle([...plans[scale]]);
    let inflicted = 0;
    for (const [index, fault] of plan.entries()) {
      if (deadline.aborted) break;
      inflicted += 1;
      progress(`fault ${index + 1} of ${plan.length}: ${fault.name}`);
      await sleep(beforeMs + random.integer(0, turnMs));
      const sinceMs = Date.now();
      await fault.inflict(scene);
      findings.push(...(await untilReady(program.url, recoveryLimitMs)));
      if (behindProxy) findings.push(...(await untilReady(behindProxy.url, recoveryLimitMs)));
      await cluster.untilWell();
      await sleep(beforeMs);
      gaps.add(
        fault,
        pulse.silenceMs(sinceMs),
        pulses.map((one) => one.gapMs(sinceMs)),
      );
    }
    progress("comparing every answer with the books");
    await Promise.all(pulses.map((one) => one.stop()));
    await shop.stop();
    const report = await shop.verify(quietLimitMs, scale);
    const audit = await place.auditFindings();
    return {
      counts: { faults: inflicted, ...gaps.counts(), ...report.counts },
      findings: [
        ...findings,
        ...gaps.findings(await cluster.ttlSeconds()),
        ...clients.flatMap(({ oddities }) => oddities),
        ...guesses(shop.journal),
        ...report.findings,
        ...audit,
      ],
    };
  } finally {
    for (const client of clients) await client.close();
    await shop.close();
    await behindProxy?.stop();
  }
}

/** How long nobody could write, and nobody was told, by fault. */
class Gaps {
  readonly #ofWrites = new Map<Fault, number[]>();
  readonly #proxied: number[] = [];
  readonly #silences: number[] = [];

  add(fault: Fault, silenceMs: number, [gapMs = 0, proxiedMs]: readonly number[]): void {
    this.#ofWrites.set(fault, [...(this.#ofWrites.get(fault) ?? []), gapMs]);
    if (fault.isKill !== true) return;
    this.#silences.push(silenceMs);
    if (proxiedMs !== undefined) this.#proxied.push(proxiedMs);
  }

  counts(): Record<string, number> {
    const writes = [...this.#ofWrites].flatMap(([{ name }, ms]) => [
      [`ms without a write when ${name}`, median(ms)],
      [`ms at most when ${name}`, Math.max(...ms)],
    ]);
    return {
      ...(Object.fromEntries(writes) as Record<string, number>),
      "ms without a notification after a kill, half of the time": median(this.#silences),
      "ms at most without a notification after a kill": Math.max(0, ...this.#silences),
      "ms without a write after a kill, through HAProxy": median(this.#proxied),
    };
  }

  /** Half of the kills have to be over in time; what a busy machine does to one of them is told by the counts. */
  findings(ttlSeconds: number): string[] {
    if (ttlSeconds > 5) return [];
    return [...this.#ofWrites].flatMap(([{ name, isKill }, ms]) =>
      isKill === true && median(ms) > gapMaxMs
        ? [`${median(ms)} ms without a write when ${name}, where ${gapMaxMs} are allowed`]
        : [],
    );
  }
}

/** A second service, which knows one address. Undefined where there is no HAProxy. */
async function startBehindProxy(cluster: PatroniCluster, place: Place) {
  if (!Haproxy.isThere()) return undefined;
  const proxy = await Haproxy.start(place.dataDir, haproxyPort, cluster.authority, cluster.places);
  const url = new URL(cluster.url.replace(/@[^/]+/, `@127.0.0.1:${haproxyPort}`));
  url.searchParams.delete("target_session_attrs");
  const program = await place.start({ DATABASE_URL: url.href });
  return { url: program.url, stop: () => proxy.stop() };
}
