import { eventsMax } from "./delivery-policy.ts";
import type { StandingRow } from "./dispatch-store.ts";
import { type EndpointQueue, roomStart } from "./endpoint-queue.ts";

/** What a turn found. */
export interface Turn {
  /** In how many milliseconds there is more to do; undefined: nothing that is known of. */
  readonly dueMs: number | undefined;
  /** Nobody wants to hear anything at the moment. */
  readonly isSilent: boolean;
}

/** An endpoint as the database knows it. */
export interface EndpointState {
  readonly endpointId: string;
  /** It fails at the moment, its circuit breaker is open, or it is not proved. */
  readonly isFailing: boolean;
  /** This node waits for the answer to its test event: if that is good, it is told at once. */
  readonly isAwaited: boolean;
}

export interface Plan {
  /** Endpoints that are told at once, without writing their deliveries down before. */
  readonly direct: readonly string[];
  /** How many events are taken. */
  readonly limit: number;
}

/** An endpoint that lets a request wait so long for its answer is told from what is written down. */
const slowAfterMs = 1_000;

/**
 * Decides how many of a company's new events are taken in a turn, and whom they are told at once: endpoints that answer
 * and have room. For one that fails or is slow they are written down. For one that is full or being tested they
 * wait, as long as the others have enough to do; when one of those has not, they are written down for it. So a quick endpoint is
 * fed in large sets, and none holds up another.
 */
export function planTurn(
  endpoints: readonly EndpointState[],
  queues: ReadonlyMap<string, EndpointQueue>,
  waitingEvents: number,
  nowMs: number,
): Plan {
  const direct: string[] = [];
  let limit = Math.min(eventsMax, waitingEvents);
  let isAnyFull = false;
  let isAnyHungry = false;
  for (const { endpointId, isFailing, isAwaited } of endpoints) {
    const queue = queues.get(endpointId);
    isAnyFull ||= isAwaited;
    if (isFailing || (queue?.ageMs(nowMs) ?? 0) >= slowAfterMs) continue;
    const room = queue?.room ?? roomStart;
    // A turn is worth taking for all that is there, or for a quarter of what the endpoint holds.
    if (room < Math.min(waitingEvents, (queue?.capacity ?? roomStart) >> 2)) {
      isAnyFull = true;
      continue;
    }
    direct.push(endpointId);
    limit = Math.min(limit, room);
    isAnyHungry ||= queue?.isHungry ?? true;
  }
  return isAnyFull && !isAnyHungry ? { direct: [], limit: 0 } : { direct, limit };
}

/** Each endpoint once. */
export function endpointsOf(
  rows: readonly StandingRow[],
  isAwaited: (endpointId: string) => boolean,
): EndpointState[] {
  const states = rows.map(({ endpoint_id, is_failing }): [string, EndpointState] => [
    endpoint_id,
    { endpointId: endpoint_id, isFailing: is_failing, isAwaited: isAwaited(endpoint_id) },
  ]);
  return [...new Map(states).values()];
}
