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
  /** What its address answered to the last test event; null: none was sent yet, or its answer is awaited. */
  readonly test: AddressTest | null;
}

export interface AddressTest {
  readonly sentAt: Date;
  /** Null: no answer came. */
  readonly statusCode: number | null;
  /** Why none came. */
  readonly error: string | null;
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

/** Why a delivery is not sent at this moment. */
export const waitReasons = ["retry", "circuit_breaker", "new_address", "earlier_event"] as const;
export type WaitReason = (typeof waitReasons)[number];

/** One attempt series to tell one webhook of one event. */
export interface Delivery {
  readonly webhookId: string;
  readonly eventNumber: number;
  readonly topic: Topic;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly waitingFor: WaitReason | null;
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

/** What makes an event of a webhook the one it is, also in a database that went back and counted on from there. */
interface EventIdentity {
  readonly eventNumber: number;
  readonly happenedMs: number;
  readonly subjectId: string;
}

/**
 * Stable over retries and redeliveries: what a receiver recognises a repetition by. A database that is restored from a
 * backup, or that went back in time, gives the numbers after that a second time. So the moment of the event is part of
 * it, and the random end of its object's id: two servers that both count on have neither in common.
 */
export function messageIdOf(
  webhookId: string,
  { eventNumber, happenedMs, subjectId }: EventIdentity,
): string {
  const subject = subjectId.replaceAll("-", "").slice(-subjectDigits);
  return `msg_${webhookId.replaceAll("-", "")}_${eventNumber}_${happenedMs.toString(36)}_${subject}`;
}

const subjectDigits = 12;
