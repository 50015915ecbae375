import { DomainError } from "../../kernel/domain-error.ts";
import type { CheckedAssertion } from "../../staff/passkeys.ts";

export class WrongApprovalCode extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "wrong_approval_code";

  constructor() {
    super({
      en: "That is not the code, or it was used already. Wait for the next one. Nothing was sent.",
      fr: "Ce code n’est pas le bon, ou il a déjà servi. Attendez le suivant. Rien n’a été envoyé.",
    });
  }
}

export class WrongApprovalPasskey extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "wrong_approval_passkey";

  constructor() {
    super({
      en: "The passkey was not accepted: it is not one of yours, or the request has expired, was used already or was for another payment. Nothing was sent.",
      fr: "La clé d’accès n’a pas été acceptée : elle n’est pas à vous, ou la demande a expiré, a déjà servi ou concernait un autre paiement. Rien n’a été envoyé.",
    });
  }
}

/** Its counter went back: the same passkey may be on another device. */
export class CopiedPasskey extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "copied_passkey";
  readonly checked: CheckedAssertion;

  constructor(checked: CheckedAssertion) {
    super({
      en: "The passkey was refused: its counter went back, somebody may have copied it. Remove it from your account, and use a code. Nothing was sent.",
      fr: "La clé d’accès a été refusée : son compteur a reculé, quelqu’un l’a peut-être copiée. Retirez-la de votre compte et utilisez un code. Rien n’a été envoyé.",
    });
    this.checked = checked;
  }
}
