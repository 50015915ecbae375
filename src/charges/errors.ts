import { DomainError } from "../kernel/domain-error.ts";
import type { Sentence } from "../kernel/language.ts";
import type { ChargeStatus } from "./charge.ts";

export class DuplicateExternalId extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "duplicate_external_id";

  constructor(externalId: string, existingId: string) {
    const message = {
      en: `A charge with the externalId "${externalId}" already exists; details has its id. Nothing was made. For another charge use another externalId.`,
      fr: `Une demande de paiement porte déjà l’externalId «\u00a0${externalId}\u00a0»\u00a0; details a son identifiant. Rien n’a été créé. Pour une autre demande, prenez un autre externalId.`,
    };
    super(message, {
      details: [{ field: "externalId", code: "duplicate_external_id", message, id: existingId }],
    });
  }
}

export class ChargeNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "charge_not_found";

  constructor() {
    super({
      en: "No charge of this account has this id. Check the id and the access token.",
      fr: "Aucune demande de paiement de ce compte n’a cet identifiant. Vérifiez l’identifiant et le jeton d’accès.",
    });
  }
}

/** Only a due charge can be paid; the status it has instead is in the message. */
export class ChargeNotPayable extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "charge_not_payable";

  constructor(status: ChargeStatus) {
    super({
      en: `This charge is ${status}; only a due charge can be paid. Make a new one.`,
      fr: `Cette demande de paiement est ${status}, seule une demande due peut être payée. Créez-en une nouvelle.`,
    });
  }
}

const neverPaid: Sentence = {
  en: "Nobody has paid it, so nothing is left to give back.",
  fr: "Personne ne l’a payée, il ne reste donc rien à rembourser.",
};
const whatNext: Readonly<Record<ChargeStatus, Sentence>> = {
  due: { en: "Wait until it is paid.", fr: "Attendez qu’elle soit payée." },
  dropped: neverPaid,
  refunded: {
    en: "All of it was given back before; nothing is left to give back.",
    fr: "Tout a déjà été remboursé, il ne reste rien à rembourser.",
  },
  paid: { en: "Look at it again.", fr: "Consultez-la de nouveau." },
  refunded_partially: { en: "Look at it again.", fr: "Consultez-la de nouveau." },
};

export class ChargeNotRefundable extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "charge_not_refundable";

  constructor(status: ChargeStatus) {
    super({
      en: `This charge is ${status}; only a paid or refunded_partially charge can be refunded. ${whatNext[status].en}`,
      fr: `Cette demande de paiement est ${status}, seule une demande paid ou refunded_partially peut être remboursée. ${whatNext[status].fr}`,
    });
  }
}

export class RefundExceedsPaid extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "refund_exceeds_paid";

  constructor(left: number) {
    const message = {
      en: `amount is more than what is left to refund; it must be from 1 to ${left}. Leave it out to refund all that is left.`,
      fr: `amount dépasse ce qui reste à rembourser. Valeur attendue\u00a0: un nombre entier de 1 à ${left}. Sans amount, tout le reste est remboursé.`,
    };
    super(message, { details: [{ field: "amount", code: "refund_exceeds_paid", message }] });
  }
}

/** The last refund that a charge may have has to be of all that is left, so that no money is stuck behind the limit. */
export class TooManyRefunds extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "too_many_refunds";

  constructor(max: number, left: number) {
    super({
      en: `A charge can be refunded in ${max} parts, and the last one has to be of all that is left: ${left} XOF.`,
      fr: `Une demande de paiement peut être remboursée en ${max} fois, et la dernière doit porter sur tout ce qui reste : ${left} XOF.`,
    });
  }
}

/** The interface has no 402 for refunds: the same code as for a transfer, with another status. */
export class RefundNotCovered extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "insufficient_funds";

  constructor(options?: ErrorOptions) {
    super(
      {
        en: "The account balance is too low for this refund. Fund the account, then send the same request again.",
        fr: "Le solde du compte ne couvre pas ce remboursement. Approvisionnez le compte, puis renvoyez la même requête.",
      },
      options,
    );
  }
}
