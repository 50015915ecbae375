import { setTimeout as sleep } from "node:timers/promises";
import { nodes, type PatroniCluster } from "./cluster.ts";

/** What the faults are inflicted on. */
export interface Scene {
  readonly cluster: PatroniCluster;
  /** Kills the service, and starts another. */
  readonly killService: () => Promise<void>;
}

export interface Fault {
  readonly name: string;
  /** A node is killed: how long nobody can write then is judged. */
  readonly isKill?: boolean;
  inflict(scene: Scene): Promise<void>;
}

/** By so much longer than the time after which Patroni replaces a leader that says nothing. */
const beyondTtlMs = 7_000;
const etcdAwayMs = 8_000;
const standbysAwayMs = 8_000;

const killNode: Fault = {
  name: "the primary's machine is lost",
  isKill: true,
  async inflict({ cluster }) {
    const stillMs = await beyondTtl(cluster);
    const leader = await cluster.leader();
    await cluster.killNode(leader);
    await sleep(stillMs);
    await cluster.leader();
    await cluster.startNode(leader);
  },
};
const killPostgres: Fault = {
  name: "the primary's PostgreSQL is killed",
  isKill: true,
  async inflict({ cluster }) {
    await cluster.killPostgres(await cluster.leader());
  },
};
const freezeNode: Fault = {
  name: "the primary's machine stands still",
  async inflict({ cluster }) {
    const stillMs = await beyondTtl(cluster);
    const goOn = await cluster.freezeNode(await cluster.leader());
    await sleep(stillMs);
    goOn();
  },
};
const switchOver: Fault = {
  name: "a switchover",
  inflict: ({ cluster }) => cluster.switchOver(),
};
const freezeEtcd: Fault = {
  name: "etcd is away",
  async inflict({ cluster }) {
    const goOn = await cluster.freezeEtcd();
    await sleep(etcdAwayMs);
    goOn();
  },
};
const freezeStandbys: Fault = {
  name: "both standbys stand still",
  async inflict({ cluster }) {
    const leader = await cluster.leader();
    const others = nodes.filter((node) => node !== leader);
    const goOn = await Promise.all(others.map((node) => cluster.freezeNode(node)));
    await sleep(standbysAwayMs);
    for (const thaw of goOn) thaw();
  },
};

const isolate: Fault = {
  name: "the network around the primary falls apart",
  async inflict({ cluster }) {
    const stillMs = await beyondTtl(cluster);
    const mend = cluster.isolate(await cluster.leader());
    await sleep(stillMs);
    mend();
  },
};

export const faults = {
  killNode,
  killPostgres,
  freezeNode,
  switchOver,
  freezeEtcd,
  freezeStandbys,
  isolate,
} as const;

async function beyondTtl(cluster: PatroniCluster): Promise<number> {
  return (await cluster.ttlSeconds()) * 1_000 + beyondTtlMs;
}
