import type { Database } from "../database/database.ts";
import type { QueueMeasure } from "../queues/queue-measure.ts";
import { webhookQueue } from "./dispatcher.ts";
import {
  countInHand,
  countOpenBreakers,
  countWritten,
  measureUntaken,
  selectClaimingCompanies,
  type Waiting,
} from "./measure-store.ts";

export interface DeliveryMeasures {
  readonly waiting: readonly Waiting[];
  readonly openBreakers: number;
}

/**
 * A receiver that is down can have any number waiting, and a number this large says enough. Those of the oldest objects
 * are counted, so that the age is true.
 */
const countedPerEndpointMax = 1_000;
const companiesMax = 100;

/** For /metrics: what is still to be told, by the companies that have something to tell. */
export async function measureDeliveries(database: Database): Promise<DeliveryMeasures> {
  const parts = await countWritten(database, countedPerEndpointMax);
  for (const companyId of await selectClaimingCompanies(database, companiesMax))
    parts.push(...(await countInHand(database, companyId)));
  const waiting = (["pending", "blocked"] as const).flatMap((status) => {
    const counted = parts.filter((part) => part.status === status);
    if (counted.length === 0) return [];
    return {
      status,
      count: counted.reduce((sum, { count }) => sum + count, 0),
      ageSeconds: Math.max(...counted.map(({ ageSeconds }) => ageSeconds)),
    };
  });
  return { waiting, openBreakers: await countOpenBreakers(database) };
}

/** For /metrics: companies that have something to tell and wait for a node, and for how long the first has waited. */
export async function measureTelling(database: Database): Promise<QueueMeasure> {
  return { queue: webhookQueue, ...(await measureUntaken(database)) };
}
