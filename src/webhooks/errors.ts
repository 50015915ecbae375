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

export class ReplayNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "replay_not_found";

  constructor() {
    super({
      en: "This webhook has no such replay, or it ended more than 30 days ago.",
      fr: "Ce webhook n’a pas ce renvoi, ou il s’est terminé il y a plus de 30 jours.",
    });
  }
}

export class ReplayUnderWay extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "replay_under_way";

  constructor() {
    super({
      en: "Deliveries of this webhook are being sent again already. Wait until that is done.",
      fr: "Des envois de ce webhook sont déjà en train d’être renvoyés. Attendez la fin.",
    });
  }
}

/** All addresses together that never answered 2xx. */
export class NewAddressesTooMany extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "new_addresses_too_many";

  constructor() {
    super(
      {
        en: "Addresses that have never answered 2xx get a few requests a minute, and those are used up. Try again in a minute.",
        fr: "Les adresses qui n’ont jamais répondu 2xx reçoivent quelques requêtes par minute, et elles sont épuisées. Réessayez dans une minute.",
      },
      { retryAfterSeconds: 60 },
    );
  }
}

export class EventsForgotten extends DomainError {
  override readonly kind = "gone";
  override readonly code = "events_forgotten";

  constructor(after: number, first: number) {
    super({
      en: `Events right after ${after} are not kept any more: events are kept for 30 days, and the first that is left is ${first}. What happened before is in the lists of transactions and charges; go on with after=${first - 1}.`,
      fr: `Les événements qui suivent ${after} ne sont plus conservés\u00a0: les événements sont conservés 30 jours, et le premier qui reste est ${first}. Ce qui s’est passé avant se trouve dans les listes de transactions et d’encaissements. Reprenez avec after=${first - 1}.`,
    });
  }
}

export class EventsUnknown extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "events_unknown";

  constructor(after: number, last: number) {
    super({
      en: `There is no event ${after} yet; the last is ${last}. Whoever has seen ${after} has seen another history: perhaps the database was restored from a backup. Compare with the lists of transactions and charges before going on with after=${last}.`,
      fr: `Il n’y a pas encore d’événement ${after}, le dernier est ${last}. Qui a vu ${after} a vu une autre histoire\u00a0: la base a peut-être été restaurée d’une sauvegarde. Comparez avec les listes de transactions et d’encaissements avant de reprendre avec after=${last}.`,
    });
  }
}

/** One company may not have all of a node's patience to itself. */
export class TooManyWaiting extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "too_many_waiting";

  constructor(max: number) {
    super(
      {
        en: `This account has ${max} requests waiting for events, which is as many as it may have at once. Close one of them, or ask with wait=0.`,
        fr: `Ce compte a ${max} requêtes en attente d’événements, le plus qu’il puisse avoir à la fois. Fermez-en une, ou demandez avec wait=0.`,
      },
      { retryAfterSeconds: 5 },
    );
  }
}

/** Nothing was sent, because there is no secret key to sign with, or it could not be read. */
export class CannotSign extends Error {
  constructor(options: ErrorOptions) {
    super("a notification could not be signed", options);
  }
}
