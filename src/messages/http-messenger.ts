import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { Agent, buildConnector, request } from "undici";
import { maskMsisdn } from "../kernel/msisdn.ts";
import { MessageNotSent, MessageOutcomeUnknown, NeverConnected } from "./errors.ts";
import type { Messenger } from "./messenger.ts";

export interface HttpMessengerOptions {
  readonly url: string;
  readonly token: string;
  readonly logger: Logger;
  readonly timeoutMs?: number;
}

/** For a whole attempt: connecting, sending, and the beginning of the answer. */
const timeoutMsDefault = 5_000;
/** The pauses before the second attempt and the third, which is the last: a person waits for the message. */
const pausesMs = [200, 800];
const connectionsMax = 50;
const answerBytesMax = 16 * 1_024;

type Attempt =
  | { readonly kind: "sent" }
  /** The gateway did not take it. `mayRetry`: for now. */
  | { readonly kind: "refused"; readonly reason: string; readonly mayRetry: boolean }
  /** The request may have arrived. */
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * Sends through the operator's SMS gateway: POST {to, text} with a bearer token.
 *
 * The gateway's address is the operator's own setting and often a private one, so the rules for addresses
 * that others have chosen (egress/) do not apply. Redirects are not followed all the same:
 * the token is meant for this address only. Every attempt of a message carries the same Idempotency-Key.
 */
export function httpMessenger(options: HttpMessengerOptions): Messenger {
  const { url, token, logger, timeoutMs = timeoutMsDefault } = options;
  const dispatcher = makeAgent(timeoutMs);

  const attempt = async (key: string, body: string): Promise<Attempt> => {
    try {
      const response = await request(url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
      });
      // What it says besides matters to nobody. Read on the side, so that the connection can be used again.
      void response.body.dump({ limit: answerBytesMax }).catch(() => {});
      return judge(response.statusCode);
    } catch (error) {
      const reason = describe(error);
      return error instanceof NeverConnected
        ? { kind: "refused", reason, mayRetry: true }
        : { kind: "unknown", reason };
    }
  };

  return {
    showsCode: () => false,
    costs: () => true,
    async send({ msisdn, text }) {
      const key = randomUUID();
      const body = JSON.stringify({ to: `+${msisdn}`, text });
      let mayHaveArrived = false;
      for (let attempts = 1; ; attempts += 1) {
        const outcome = await attempt(key, body);
        if (outcome.kind === "sent") return;
        const { reason } = outcome;
        logger.warn(
          { to: maskMsisdn(msisdn), attempts, outcome: outcome.kind, reason },
          "the SMS gateway did not take a message",
        );
        mayHaveArrived ||= outcome.kind === "unknown";
        const pauseMs = pausesMs[attempts - 1];
        if (pauseMs === undefined || (outcome.kind === "refused" && !outcome.mayRetry)) break;
        await sleep(pauseMs);
      }
      throw mayHaveArrived ? new MessageOutcomeUnknown() : new MessageNotSent();
    },
  };
}

/** 429 and 503 say that nothing was done; after any other 5xx nobody knows. What is wrong stays wrong. */
function judge(statusCode: number): Attempt {
  if (statusCode >= 200 && statusCode < 300) return { kind: "sent" };
  const reason = `answered ${statusCode}`;
  if (statusCode === 429 || statusCode === 503) return { kind: "refused", reason, mayRetry: true };
  return statusCode >= 500
    ? { kind: "unknown", reason }
    : { kind: "refused", reason, mayRetry: false };
}

function makeAgent(timeoutMs: number): Agent {
  // Sooner than the attempt's own end, which would look like an answer that did not come.
  // And whatever NODE_TLS_REJECT_UNAUTHORIZED says: the token and people's codes go to nobody else.
  const connect = buildConnector({ timeout: timeoutMs / 2, rejectUnauthorized: true });
  return new Agent({
    connections: connectionsMax,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) =>
        error === null
          ? callback(null, socket)
          : callback(new NeverConnected(describe(error), { cause: error }), null),
      ),
  });
}

/** Without the message of unknown errors, which might repeat what was sent. */
function describe(error: unknown): string {
  if (error instanceof NeverConnected) return error.message;
  if (!(error instanceof Error)) return "unknown error";
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? `${error.name} ${code}` : error.name;
}
