import { eventsMax } from "./delivery-policy.ts";
import { type EndpointQueue, roomStart } from "./endpoint-queue.ts";

/** An endpoint as the database knows it. */
export interface EndpointState {
  readonly endpointId: string;
  /** It fails at the moment, or its circuit breaker is open. */
  readonly isFailing: boolean;
}

export interface Plan {
  /** Endpoints that are told at once, without writing their deliveries down before. */
  readonly direct: readonly string[];
  /** How many events are taken. */
  readonly limit: number;
  /** When there is no room for those that are left. */
  readonly pauseMs: number;
}

/** An endpoint at which one waits so long is slow: it is told from what is written down, and delays nobody. */
const slowAfterMs = 1_000;
/** Others wait so long for a quick endpoint that has no room just now. */
const patienceMs = 150;
const pauseMinMs = 20;

/**
 * Decides how many of a company's new events are taken in a turn, and whom they are told at once. An endpoint with room
 * is told at once. For a quick one that is full, the events wait a moment. For a failing or slow one they are written
 * down, so that it holds up no other.
 */
export function planTurn(
  endpoints: readonly EndpointState[],
  queues: ReadonlyMap<string, EndpointQueue>,
  waitingEvents: number,
  nowMs: number,
): Plan {
  const direct: string[] = [];
  let limit = Math.min(eventsMax, waitingEvents);
  for (const { endpointId, isFailing } of endpoints) {
    const queue = queues.get(endpointId);
    const waitMs = queue?.waitMs(nowMs) ?? 0;
    if (isFailing || waitMs >= slowAfterMs) continue;
    const room = queue?.room ?? roomStart;
    // A turn is worth taking for all that is there, or for a quarter of what the endpoint holds.
    if (room >= Math.min(waitingEvents, (queue?.capacity ?? roomStart) >> 2)) {
      direct.push(endpointId);
      limit = Math.min(limit, room);
    } else if (waitMs < patienceMs) {
      return { direct: [], limit: 0, pauseMs: Math.max(pauseMinMs, waitMs / 4) };
    }
  }
  return { direct, limit, pauseMs: 0 };
}
