import type { KeyObject } from "node:crypto";
import type { EgressClient } from "../egress/client.ts";
import { EgressFailed, EgressRefused } from "../egress/errors.ts";
import type { EgressResponse } from "../egress/exchange.ts";
import type { Clock } from "../kernel/clock.ts";
import { toTraceparent } from "../tracing/trace-parent.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { CannotSign } from "./errors.ts";
import type { Held, Outcome } from "./held.ts";
import { nextDelayMs, readRetryAfter } from "./schedule.ts";
import { signedHeaders } from "./signature.ts";
import { endDelivery, startDelivery } from "./trace-deliveries.ts";
import { messageIdOf } from "./webhook.ts";

export interface Sender {
  readonly client: EgressClient;
  readonly clock: Clock;
  readonly brand: string;
  /** The secrets a company's notifications are signed with, newest first. */
  readonly secretsOf: (companyId: string) => Promise<readonly KeyObject[]>;
  /** Undefined: no traces are recorded. */
  readonly tracing?: Tracing | undefined;
}

const responseKeptBytes = 1_024;

/**
 * Sends one delivery once and says what came of it: a failure is an outcome, and logged like any other. Throws
 * CannotSign when nothing was sent, which is no fault of the receiver.
 */
export async function attemptDelivery(
  { client, clock, brand, secretsOf, tracing }: Sender,
  held: Held,
): Promise<Outcome> {
  const { listener, payload } = held;
  const secrets = await secretsOf(held.companyId).catch((error: unknown) => {
    throw new CannotSign({ cause: error });
  });
  // Receivers refuse what is stamped minutes off, and the log tells how long an endpoint has failed.
  const startedAt = clock();
  const started = performance.now();
  const id = messageIdOf(listener.webhookId, held);
  const headers = signedHeaders(brand, secrets, startedAt, { id, topic: listener.topic, payload });
  const span = tracing === undefined ? undefined : startDelivery(tracing, held);
  // Beside what is signed: whoever verifies does not look at it.
  if (span !== undefined) headers["traceparent"] = toTraceparent(span);
  let response: EgressResponse | undefined;
  let failure: unknown;
  try {
    response = await client.send({
      url: listener.url,
      owner: held.companyId,
      method: "POST",
      headers,
      body: payload,
    });
  } catch (error) {
    failure = error;
  }
  const kind = judge(response, failure);
  const tries = held.tries + 1;
  const askedMs = kind === "retry" ? readRetryAfter(clock(), retryAfterOf(response)) : 0;
  const delayMs = kind === "retry" ? nextDelayMs(tries, askedMs) : 0;
  const outcome: Outcome = {
    kind: delayMs === undefined ? "failed" : kind,
    delayMs: delayMs ?? 0,
    askedMs,
    startedMs: startedAt.getTime(),
    durationMs: Math.round(performance.now() - started),
    statusCode: response?.statusCode ?? null,
    error: response === undefined ? describe(failure) : null,
    response: response === undefined ? null : toStorable(response.body),
  };
  if (span !== undefined) endDelivery(span, held, outcome);
  return outcome;
}

/** 2xx is an acknowledgement, 410 a good-bye, everything else (redirects included) a failure to be retried. */
function judge(response: EgressResponse | undefined, failure: unknown): Outcome["kind"] {
  if (failure instanceof EgressFailed && failure.code === "stopped") return "stopped";
  const statusCode = response?.statusCode ?? 0;
  if (statusCode >= 200 && statusCode < 300) return "delivered";
  return statusCode === 410 ? "gone" : "retry";
}

function retryAfterOf(response: EgressResponse | undefined): string | undefined {
  const retryAfter = response?.headers["retry-after"];
  return typeof retryAfter === "string" ? retryAfter : undefined;
}

/** The first KB of an answer as text that the database can hold. */
function toStorable(body: Buffer): string {
  return body.subarray(0, responseKeptBytes).toString("utf8").replaceAll("\u0000", "\ufffd");
}

function describe(error: unknown): string {
  if (error instanceof EgressRefused) return `refused: ${error.reason}`;
  if (!(error instanceof Error)) return "unknown error";
  const { code } = error as NodeJS.ErrnoException;
  return (code === undefined ? error.message : `${code}: ${error.message}`)
    .slice(0, 500)
    .replaceAll("\u0000", "");
}
