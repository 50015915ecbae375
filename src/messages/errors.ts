import { DomainError } from "../kernel/domain-error.ts";

/** Certain: no message will arrive. */
export class MessageNotSent extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "message_not_sent";

  constructor(options?: ErrorOptions) {
    super(
      {
        en: "The message could not be sent. Try again in a moment.",
        fr: "Le message n’a pas pu être envoyé. Réessayez dans un instant.",
      },
      options,
    );
  }
}

/** The gateway did not answer in time, or not clearly: the message may arrive or not. */
export class MessageOutcomeUnknown extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "message_outcome_unknown";

  constructor(options?: ErrorOptions) {
    super(
      {
        en: "It is not known whether the message was sent. If it does not arrive, ask for another.",
        fr: "On ne sait pas si le message est parti. S’il n’arrive pas, demandez-en un autre.",
      },
      options,
    );
  }
}

/** No connection (DNS, TCP, TLS), so nothing was sent: the one failure whose outcome is known. */
export class NeverConnected extends Error {}
