import type { Histogram, Metrics } from "./kernel/metrics.ts";
import type { LaneTimes } from "./lanes/lanes.ts";

const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000, 10_000];

/** Histograms of sets: of how many things go to the database in one call, and how long that takes. */
export class SetMetrics {
  readonly transferSizes: Histogram;
  readonly chargeSizes: Histogram;
  readonly settlementSizes: Histogram;
  readonly seconds: Histogram;
  readonly #waits: Histogram;

  constructor(metrics: Metrics) {
    const sizes = (name: string, help: string) => metrics.histogram(name, help, sizeBounds);
    this.transferSizes = sizes(
      "cauri_submission_set_size",
      "Transfers that went to the database in one call.",
    );
    this.chargeSizes = sizes(
      "cauri_charge_set_size",
      "Charges that went to the database in one call.",
    );
    this.settlementSizes = sizes(
      "cauri_settlement_set_size",
      "Pending transfers that one call of settling looked at.",
    );
    this.seconds = metrics.histogram(
      "cauri_set_seconds",
      "How long a call with a set took, its wait for the company's lock included.",
      secondsBounds,
    );
    this.#waits = metrics.histogram(
      "cauri_lane_wait_seconds",
      "How long the first of a set waited for the company's call before.",
      secondsBounds,
    );
  }

  timesOf(set: "transfers" | "charges"): LaneTimes {
    return {
      waited: (seconds) => this.#waits.observe(seconds, { lane: set }),
      took: (seconds) => this.seconds.observe(seconds, { set }),
    };
  }
}
