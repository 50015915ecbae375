import type { Queryable } from "../database/database.ts";
import { type EndpointState, selectEndpointStates } from "./health-store.ts";
import type { DeliveryStatus, WaitReason } from "./webhook.ts";

/** What comes next for a delivery. */
export interface NextStep {
  /** Null: it is over, or it waits for another one. Never in the past. */
  readonly nextAttemptAt: Date | null;
  /** Null: it is over, or it is sent now. */
  readonly waitingFor: WaitReason | null;
}

/** What is written down of a delivery. */
interface Waiting {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly updatedAt: Date;
}

export type Foresee = (webhookId: string, delivery: Waiting) => NextStep;

/** Says for the deliveries of a company what they wait for, as their addresses stand now. */
export async function foreseeFor(database: Queryable, companyId: string): Promise<Foresee> {
  const states = await selectEndpointStates(database, companyId);
  const byWebhook = new Map(states.map((state) => [state.webhookId, state]));
  return (webhookId, delivery) => foresee(delivery, byWebhook.get(webhookId));
}

function foresee(
  { status, attempts, nextAttemptAt: planned, updatedAt }: Waiting,
  state: EndpointState | undefined,
): NextStep {
  if (status === "blocked") return { nextAttemptAt: null, waitingFor: "earlier_event" };
  if (status !== "pending") return { nextAttemptAt: null, waitingFor: null };
  if (planned === null || state === undefined)
    return { nextAttemptAt: planned, waitingFor: planned && "retry" };
  const { now, openUntil, openedAt, provedAt, recoveredAt } = state;
  const isHeldBack = openUntil !== null && openUntil > now;
  if (openedAt !== null)
    return { nextAttemptAt: isHeldBack ? openUntil : now, waitingFor: "circuit_breaker" };
  if (isHeldBack && provedAt === null)
    return {
      nextAttemptAt: openUntil > planned ? openUntil : planned,
      waitingFor: "new_address",
    };
  // What was never tried waits for no retry, even if the node that has it in hand is a few milliseconds ahead.
  const isDue =
    planned <= now || attempts === 0 || (recoveredAt !== null && updatedAt <= recoveredAt);
  return isDue
    ? { nextAttemptAt: now, waitingFor: null }
    : { nextAttemptAt: planned, waitingFor: "retry" };
}
