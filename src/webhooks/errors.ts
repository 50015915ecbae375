import { DomainError } from "../kernel/domain-error.ts";

export class WebhookNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "webhook_not_found";

  constructor() {
    super("There is no webhook with this id.");
  }
}

export class DeliveryNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "delivery_not_found";

  constructor() {
    super("This webhook has no delivery with this id.");
  }
}

export class TooManyWebhooks extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "too_many_webhooks";

  constructor(max: number) {
    super(`An account can have ${max} webhooks. Delete one that is no longer needed.`);
  }
}

export class WebhookDisabled extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "webhook_disabled";

  constructor() {
    super(
      "This webhook is disabled, so nothing is sent to it. Have it enabled first, or delete it and create it again.",
    );
  }
}

/** Nothing was sent, because there is no secret key to sign with, or it could not be read. */
export class CannotSign extends Error {
  constructor(options: ErrorOptions) {
    super("a notification could not be signed", options);
  }
}
