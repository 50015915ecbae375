import type { Queryable } from "../database/database.ts";
import { numberAt } from "../database/number-at.ts";
import {
  type KeptEvent,
  selectEventsOf,
  selectEventTime,
  selectLastEvent,
  selectWrittenDeliveries,
  type WrittenDelivery,
} from "./history-store.ts";
import { foreseeFor, type NextStep } from "./next-step.ts";

/** An event bears the time of what it tells, give or take a large set and a clock that was set back. */
const apartMs = 61_000;

/** What an object's receivers were told: the events of it around these moments, and their deliveries. */
export interface History {
  readonly events: readonly KeptEvent[];
  readonly deliveries: readonly (WrittenDelivery & NextStep)[];
}

/** Events have no index of subjects, but they are in order of time. What was told long ago is forgotten. */
export async function findHistory(
  database: Queryable,
  companyId: string,
  subjectId: string,
  moments: readonly Date[],
): Promise<History> {
  const last = await selectLastEvent(database, companyId);
  const at = (ms: number) =>
    numberAt(last, new Date(ms), (number) => selectEventTime(database, companyId, number));
  const found = new Map<number, KeptEvent>();
  for (const moment of moments) {
    const range = {
      from: await at(moment.getTime() - apartMs),
      before: await at(moment.getTime() + apartMs),
    };
    for (const event of await selectEventsOf(database, companyId, subjectId, range))
      found.set(event.number, event);
  }
  const deliveries = await selectWrittenDeliveries(database, companyId, [...found.keys()]);
  const foresee = await foreseeFor(database, companyId);
  return {
    events: [...found.values()].toSorted((one, other) => one.number - other.number),
    deliveries: deliveries.map((one) => ({ ...one, ...foresee(one.webhookId, one) })),
  };
}
