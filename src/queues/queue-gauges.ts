import type { Database } from "../database/database.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { QueueMeasure } from "./queue-measure.ts";
import { measureQueues, type OverdueWork, selectOverdue } from "./store.ts";

export { measureQueues as measureWork } from "./store.ts";

/**
 * What /metrics says of the queues in the table `work`, and of those that measure themselves; brought up to date by the
 * function it answers.
 */
export function queueGauges(
  database: Database,
  metrics: Metrics,
  queues: readonly string[],
  measureOthers: readonly (() => Promise<QueueMeasure>)[],
): () => Promise<void> {
  const depth = metrics.gauge(
    "cauri_queue_companies",
    "Companies with work waiting, by queue.",
    "same",
  );
  const age = metrics.gauge(
    "cauri_queue_age_seconds",
    "How long the first of them has waited, by queue.",
    "same",
  );
  return async () => {
    const measures = [...(await measureQueues(database, queues))];
    for (const measureOther of measureOthers) measures.push(await measureOther());
    for (const measure of measures) {
      depth.set(measure.depth, { queue: measure.queue });
      age.set(measure.ageSeconds, { queue: measure.queue });
    }
  };
}

/** What of these queues has been ready for so long and is not done, the longest waiting first. */
export function findOverdue(
  database: Database,
  queues: readonly string[],
  seconds: number,
  limit: number,
): Promise<OverdueWork[]> {
  return selectOverdue(database, queues, seconds, limit);
}
