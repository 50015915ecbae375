import type { KeyObject } from "node:crypto";
import type { EgressClient } from "../egress/client.ts";
import { EgressRefused } from "../egress/errors.ts";
import type { Clock } from "../kernel/clock.ts";
import { DomainError } from "../kernel/domain-error.ts";
import type { AttemptOutcome, TakenDelivery } from "./deliveries-store.ts";
import { nextDelayMs, triesMax } from "./schedule.ts";
import { signedHeaders } from "./signature.ts";
import { messageIdOf } from "./webhook.ts";

const responseKeptBytes = 1_024;

/** Sends one delivery once and says what came of it: a failure is an outcome, and logged like any other. */
export async function attemptDelivery(
  client: EgressClient,
  clock: Clock,
  brand: string,
  secretsOf: (companyId: string) => Promise<readonly KeyObject[]>,
  companyId: string,
  delivery: TakenDelivery,
): Promise<AttemptOutcome> {
  // Receivers refuse what is stamped minutes off, and the log tells how long an endpoint has failed.
  const startedAt = clock();
  const started = performance.now();
  const outcome = (
    result: Pick<AttemptOutcome, "statusCode" | "error" | "response">,
    retryAfter?: string,
  ): AttemptOutcome => ({
    webhookId: delivery.webhook_id,
    eventNumber: delivery.event_number,
    startedAt,
    durationMs: Math.round(performance.now() - started),
    ...result,
    ...verdictOn(result.statusCode, delivery.tries + 1, clock(), retryAfter),
  });

  const message = {
    id: messageIdOf(delivery.webhook_id, delivery.event_number),
    topic: delivery.topic,
    payload: delivery.payload,
  };
  try {
    const response = await client.send({
      url: delivery.url,
      owner: companyId,
      method: "POST",
      headers: signedHeaders(brand, await secretsOf(companyId), startedAt, message),
      body: delivery.payload,
    });
    const retryAfter = response.headers["retry-after"];
    return outcome(
      { statusCode: response.statusCode, error: null, response: toStorable(response.body) },
      ...(typeof retryAfter === "string" ? [retryAfter] : []),
    );
  } catch (error) {
    // Our own trouble, such as a database that is away, says nothing about the receiver.
    if (error instanceof DomainError) throw error;
    const reason = error instanceof EgressRefused ? `refused: ${error.reason}` : describe(error);
    return outcome({ statusCode: null, error: reason, response: null });
  }
}

/** 2xx is an acknowledgement, 410 a good-bye, everything else (redirects included) a failure to be retried. */
function verdictOn(
  statusCode: number | null,
  tries: number,
  now: Date,
  retryAfter: string | undefined,
): Pick<AttemptOutcome, "outcome" | "delayMs"> {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { outcome: "delivered", delayMs: 0 };
  if (statusCode === 410) return { outcome: "gone", delayMs: 0 };
  const delayMs = tries >= triesMax ? undefined : nextDelayMs(tries, now, retryAfter);
  return delayMs === undefined ? { outcome: "failed", delayMs: 0 } : { outcome: "retry", delayMs };
}

/** The first KB of an answer as text that the database can hold. */
function toStorable(body: Buffer): string {
  return body.subarray(0, responseKeptBytes).toString("utf8").replaceAll("\u0000", "\ufffd");
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const { code } = error as NodeJS.ErrnoException;
  return (code === undefined ? error.message : `${code}: ${error.message}`)
    .slice(0, 500)
    .replaceAll("\u0000", "");
}
