import assert from "node:assert/strict";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { httpMessenger } from "./http-messenger.ts";
import { logMessenger } from "./log-messenger.ts";
import type { Messenger } from "./messenger.ts";

/** The configured gateway; without one, which only staging may be, the log. */
export function openMessenger(
  { environment, smsGateway, testMsisdns }: OpenOptions,
  logger: Logger,
): Messenger {
  const gateway = smsGateway && httpMessenger({ ...smsGateway, logger });
  if (gateway !== undefined && testMsisdns === undefined) return gateway;
  // The log messenger has pages show the codes: whoever knows a number could pay with its wallet.
  assert(environment === "staging", "production sends its messages through a gateway");
  const log = logMessenger(logger);
  return sparingNumbers(gateway ?? log, log, testMsisdns);
}

type OpenOptions = Pick<Config, "environment" | "smsGateway" | "testMsisdns">;

/**
 * Test numbers are real numbers of somebody who has nothing to do with the test: they get no message. Nor do they use a
 * budget up, because everybody who tries the service out pays with the same two.
 */
function sparingNumbers(
  others: Messenger,
  log: Messenger,
  spared: Config["testMsisdns"],
): Messenger {
  const isSpared = (msisdn: string) => msisdn === spared?.success || msisdn === spared?.failure;
  const messengerFor = (msisdn: string) => (isSpared(msisdn) ? log : others);
  return {
    costs: (msisdn) => !isSpared(msisdn),
    showsCode: (msisdn) => messengerFor(msisdn).showsCode(msisdn),
    send: (message) => messengerFor(message.msisdn).send(message),
  };
}
