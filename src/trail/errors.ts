import { DomainError } from "../kernel/domain-error.ts";

/** Somebody has ended the session, or taken the membership or the role away, since the page was opened. */
export class NotPermitted extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "not_permitted";

  constructor() {
    super({
      en: "Your role in this company does not permit this any more. Nothing was changed, and nothing was sent.",
      fr: "Votre rôle dans cette société ne le permet plus. Rien n’a été changé, et rien n’a été envoyé.",
    });
  }
}
