import { DomainError } from "../kernel/domain-error.ts";
import { OperatorError } from "../kernel/operator-error.ts";

/** A link is not good for whoever came with it. Nobody is told why, so that it says nothing about who exists. */
export class LinkRefused extends OperatorError {
  constructor() {
    super("This link is not good for whoever came with it.");
  }
}

export class OwnInvitation extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "own_invitation";

  constructor() {
    super({
      en: "This is your own address. Invite somebody else.",
      fr: "C’est votre propre adresse. Invitez une autre personne.",
    });
  }
}

export class MemberAlready extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "member_already";

  constructor(email: string) {
    super({
      en: `${email} works for this company already. Change the role instead.`,
      fr: `${email} travaille déjà pour cette société. Changez plutôt son rôle.`,
    });
  }
}

export class WaitsAlready extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "waits_already";

  constructor() {
    super({
      en: "The same is asked for already, and waits for a second owner or the operator. Withdraw that request first.",
      fr: "La même chose est déjà demandée et attend un second propriétaire ou l’opérateur. Retirez d’abord cette demande.",
    });
  }
}

export class RequestNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "request_not_found";

  constructor() {
    super({
      en: "No request has this id.",
      fr: "Aucune demande n’a cet identifiant.",
    });
  }
}

/** It was decided, withdrawn, has expired, or what it was asked for has changed. */
export class RequestClosed extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "request_closed";

  constructor() {
    super({
      en: "This request does not wait any more: it was decided or withdrawn, it has expired, or what it would change is not what it was. Ask again if it is still wanted.",
      fr: "Cette demande n’attend plus : elle a été décidée ou retirée, elle a expiré, ou ce qu’elle changerait n’est plus ce que c’était. Refaites-la si elle est encore voulue.",
    });
  }
}

/** By whoever asked for it, or whom it concerns. */
export class OwnRequest extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "own_request";

  constructor() {
    super({
      en: "You asked for this, or it concerns you. A second owner or the operator has to confirm it.",
      fr: "Vous l’avez demandé, ou cela vous concerne. Un second propriétaire ou l’opérateur doit le confirmer.",
    });
  }
}

/** By somebody who came in through whoever asked for it, or through whom it concerns. */
export class RequestOfIntroducer extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "request_of_introducer";

  constructor(email: string) {
    super({
      en: `${email}, who is part of this request, let you into the company. Another owner or the operator has to confirm it.`,
      fr: `${email}, qui est partie à cette demande, vous a fait entrer dans la société. Un autre propriétaire ou l’opérateur doit la confirmer.`,
    });
  }
}

export class NothingAskedFor extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "nothing_asked_for";

  constructor() {
    super({
      en: "This is the value that holds already. Nothing was changed.",
      fr: "C’est la valeur déjà en vigueur. Rien n’a été changé.",
    });
  }
}
