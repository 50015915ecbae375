import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";
import { snares, type TcpProxy } from "./tcp-proxy.ts";

/** Something a network does. When it resolves, new connections work again. */
export interface Fault {
  readonly name: string;
  inflict(proxy: TcpProxy, random: Random): Promise<void>;
}

const snarePatienceMs = 2_000;
const pollMs = 5;

const atCommit = snares.map(
  (snare): Fault => ({
    name: `at a commit: ${snare}`,
    async inflict(proxy) {
      const before = proxy.sprung;
      proxy.set(snare);
      const deadline = performance.now() + snarePatienceMs;
      while (proxy.sprung === before && performance.now() < deadline) await sleep(pollMs);
      proxy.heal();
    },
  }),
);

const atAnyMoment: readonly Fault[] = [
  {
    name: "cut",
    async inflict(proxy) {
      proxy.cut();
    },
  },
  {
    name: "half-close",
    async inflict(proxy) {
      proxy.halfClose();
    },
  },
  {
    name: "silence what is open",
    async inflict(proxy) {
      proxy.silence();
    },
  },
  {
    name: "black hole",
    async inflict(proxy, random) {
      proxy.isMute = true;
      await sleep(random.integer(500, 3_000));
      proxy.heal();
    },
  },
  {
    name: "away",
    async inflict(proxy, random) {
      proxy.isAway = true;
      proxy.cut();
      await sleep(random.integer(200, 2_000));
      proxy.heal();
    },
  },
  {
    name: "slow",
    async inflict(proxy, random) {
      proxy.delayMs = random.integer(20, 300);
      await sleep(random.integer(500, 1_500));
      proxy.heal();
    },
  },
  {
    name: "answers lost, then cut",
    async inflict(proxy, random) {
      proxy.isDeaf = true;
      await sleep(random.integer(100, 800));
      proxy.heal();
      proxy.cut();
    },
  },
];

export const faults: readonly Fault[] = [...atCommit, ...atAnyMoment];
