import { type CountOne, RateWindows } from "../http/rate-windows.ts";
import type { Family } from "../kernel/metrics.ts";
import type { PassOn } from "../queues/work-hints.ts";
import type { Channel } from "./channel.ts";

/** What a process has in common with the others of its node; it reaches them through the one that started them all. */
export interface Together {
  /** Counts a request for the limits that hold for the node. */
  readonly countOne: CountOne;
  /** Where hints go when the workers are in another process of this node; undefined: they are here, or on other nodes. */
  readonly passOn: PassOn | undefined;
  readonly gatherMetrics: (own: readonly Family[]) => Promise<readonly Family[]>;
  readonly onMetricsAsked: (read: () => readonly Family[]) => void;
  readonly onHint: (hear: PassOn) => void;
}

interface PassedHint {
  readonly queue: string;
  readonly companyIds: readonly string[];
}

export function togetherThrough(channel: Channel, areWorkersElsewhere: boolean): Together {
  const ownWindows = new RateWindows();
  return {
    countOne: async (key, timeWindowMs) => {
      try {
        const counted = await channel.ask("count", { key, timeWindowMs });
        return counted as Awaited<ReturnType<CountOne>>;
      } catch {
        // Counted here, at worst a little too kindly.
        return ownWindows.count(key, timeWindowMs);
      }
    },
    passOn: areWorkersElsewhere
      ? (queue, companyIds) => void channel.tell("hint", { queue, companyIds })
      : undefined,
    gatherMetrics: async (own) => {
      const all = await channel.ask("metrics of all", own).catch(() => own);
      return all as readonly Family[];
    },
    onMetricsAsked: (read) => channel.on("metrics", read),
    onHint: (hear) =>
      channel.on("hint", (hint) => {
        const { queue, companyIds } = hint as PassedHint;
        hear(queue, companyIds);
      }),
  };
}
