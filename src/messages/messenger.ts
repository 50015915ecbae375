import assert from "node:assert/strict";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { httpMessenger } from "./http-messenger.ts";
import { logMessenger } from "./log-messenger.ts";

/** A short text for one phone. */
interface Message {
  /** Digits, with country code. */
  readonly msisdn: string;
  readonly text: string;
}

export interface Messenger {
  /** True when no phone is reached, so that a page has to show the codes itself, marked as a test. */
  readonly showsCodes: boolean;
  /**
   * Returns when the message was taken on. Throws MessageNotSent when it certainly was not, and
   * MessageOutcomeUnknown when it may still arrive.
   */
  send(message: Message): Promise<void>;
}

/** The configured gateway; without one, which only staging may be, the log. */
export function openMessenger(
  { environment, smsGateway }: Pick<Config, "environment" | "smsGateway">,
  logger: Logger,
): Messenger {
  if (smsGateway !== undefined) return httpMessenger({ ...smsGateway, logger });
  // The log messenger has pages show the codes: whoever knows a number could pay with its wallet.
  assert(environment === "staging", "production sends its messages through a gateway");
  return logMessenger(logger);
}
