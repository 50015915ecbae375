import type { Logger } from "pino";
import { maskMsisdn } from "../kernel/msisdn.ts";
import type { Messenger } from "./messenger.ts";

/** Staging: nobody is reached; what would have been sent stands in the log. */
export function logMessenger(logger: Logger): Messenger {
  return {
    showsCode: () => true,
    // As a gateway's would, so that staging shows what production will refuse.
    costs: () => true,
    async send({ msisdn, text }) {
      logger.info({ to: maskMsisdn(msisdn), text }, "a message that is not sent");
    },
  };
}
