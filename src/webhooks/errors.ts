import { DomainError } from "../kernel/domain-error.ts";

export class WebhookNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "webhook_not_found";

  constructor() {
    super({
      en: "No webhook of this account has this id, or it was deleted. Check the id.",
      fr: "Aucun webhook de ce compte n’a cet identifiant, ou il a été supprimé. Vérifiez l’identifiant.",
    });
  }
}

export class DeliveryNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "delivery_not_found";

  constructor() {
    super({
      en: "This webhook has no delivery with this id, or it is older than 30 days. See its deliveries.",
      fr: "Ce webhook n’a aucun envoi avec cet identifiant, ou il date de plus de 30 jours. Consultez la liste de ses envois.",
    });
  }
}

export class TooManyWebhooks extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "too_many_webhooks";

  constructor(max: number) {
    super({
      en: `An account can have ${max} webhooks. Delete one that is no longer needed.`,
      fr: `Un compte peut avoir ${max} webhooks. Supprimez-en un qui ne sert plus.`,
    });
  }
}

export class WebhookDisabled extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "webhook_disabled";

  constructor() {
    super({
      en: "This webhook is disabled, so nothing is sent to it. Have it enabled first, or delete it and create it again.",
      fr: "Ce webhook est désactivé, rien ne lui est envoyé. Faites-le réactiver, ou supprimez-le et créez-le de nouveau.",
    });
  }
}

/** Nothing was sent, because there is no secret key to sign with, or it could not be read. */
export class CannotSign extends Error {
  constructor(options: ErrorOptions) {
    super("a notification could not be signed", options);
  }
}
