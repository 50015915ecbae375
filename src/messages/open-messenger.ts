import assert from "node:assert/strict";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { httpMessenger } from "./http-messenger.ts";
import { logMessenger } from "./log-messenger.ts";
import type { Messenger } from "./messenger.ts";

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
