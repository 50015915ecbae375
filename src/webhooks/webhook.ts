import { createHash } from "node:crypto";
import { toUuid } from "../kernel/ids.ts";
import type { Topic } from "./event.ts";

/** A company's wish to be told of one topic at one address. */
export interface Webhook {
  readonly id: string;
  readonly topic: Topic;
  readonly url: string;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const urlLengthMax = 2_048;

export const deliveryStatuses = [
  "pending",
  "blocked",
  "delivered",
  "failed",
  "superseded",
  "cancelled",
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One attempt series to tell one webhook of one event. */
export interface Delivery {
  readonly webhookId: string;
  readonly eventNumber: number;
  readonly topic: Topic;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Attempt {
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

/** The same address is the same endpoint, however many webhooks name it. */
export function endpointIdOf(url: string): string {
  return toUuid(createHash("sha256").update(url).digest("hex").slice(0, 32));
}

/**
 * Stable over retries and redeliveries: what a receiver recognises a repetition by. The moment of the event is part of
 * it, because a database that is restored from a backup gives the numbers after it a second time.
 */
export function messageIdOf(webhookId: string, eventNumber: number, happenedMs: number): string {
  return `msg_${webhookId.replaceAll("-", "")}_${eventNumber}_${happenedMs.toString(36)}`;
}
