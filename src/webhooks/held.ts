import type { Topic } from "./event.ts";

/** Whom to tell: a webhook as a node needs it. */
export interface Listener {
  readonly webhookId: string;
  readonly endpointId: string;
  readonly topic: Topic;
  readonly url: string;
}

/** The right to tell what was claimed or taken together. */
export interface Claim {
  readonly id: string;
  /** Whether its deliveries are written down already. What is not is written when it is over. */
  readonly isWritten: boolean;
  readonly claimedAt: Date;
  /** On the process's own clock, like the next one. */
  readonly takenAtMs: number;
  /** Nothing of it is sent before. */
  readonly dueAtMs: number;
  /** Deliveries that are not recorded yet. */
  left: number;
}

/** A delivery in the hand of this node. */
export interface Held {
  readonly companyId: string;
  readonly listener: Listener;
  readonly claim: Claim;
  readonly eventNumber: number;
  readonly subjectId: string;
  readonly happenedMs: number;
  readonly payload: string;
  /** Attempts made in the current series. */
  readonly tries: number;
}

/** What came of a delivery in hand: see record_attempts. */
export interface Outcome {
  readonly kind: "delivered" | "retry" | "failed" | "gone" | "stopped" | "unsent";
  readonly delayMs: number;
  /** The pause that the receiver asked for by Retry-After; 0: none. */
  readonly askedMs: number;
  readonly startedMs: number;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

/** Given back without an attempt. */
export function unsent(delayMs = 0): Outcome {
  return {
    kind: "unsent",
    delayMs,
    askedMs: 0,
    startedMs: 0,
    durationMs: 0,
    statusCode: null,
    error: null,
    response: null,
  };
}
