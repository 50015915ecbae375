import { DomainError } from "../kernel/domain-error.ts";

export class ProposalNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "proposal_not_found";

  constructor() {
    super({
      en: "No payment of this company has this id.",
      fr: "Aucun paiement de cette entreprise n’a cet identifiant.",
    });
  }
}

/** Whoever had a hand in it. */
export class OwnProposal extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "own_proposal";

  constructor() {
    super({
      en: "You had a hand in this payment, so another person has to approve or refuse it. Nothing was sent.",
      fr: "Vous avez participé à la préparation de ce paiement : une autre personne doit l’approuver ou le refuser. Rien n’a été envoyé.",
    });
  }
}

/** What was reviewed is not what would be carried out. */
export class ProposalChanged extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "proposal_changed";

  constructor() {
    super({
      en: "This payment is not the one that you reviewed. Look at it again. Nothing was sent.",
      fr: "Ce paiement n’est pas celui que vous avez vérifié. Vérifiez-le de nouveau. Rien n’a été envoyé.",
    });
  }
}

/** It does not wait for a decision any more. */
export class ProposalClosed extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "proposal_closed";
  readonly state: string;

  constructor(state: string) {
    super({
      en: "This payment has been decided or withdrawn already. See below where it stands.",
      fr: "Ce paiement a déjà été décidé ou retiré. Voyez ci-dessous où il en est.",
    });
    this.state = state;
  }
}

/** Something else is held by now than what was looked at, or nothing. */
export class HeldChanged extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "held_changed";

  constructor() {
    super({
      en: "What is held is not what you reviewed: somebody has decided meanwhile. Look at it again. You have decided nothing.",
      fr: "Ce qui est retenu n’est plus ce que vous avez vérifié : quelqu’un a décidé entre-temps. Vérifiez de nouveau. Vous n’avez rien décidé.",
    });
  }
}

/** Nothing of it waits for a person. */
export class HeldNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "held_not_found";

  constructor() {
    super({
      en: "Nothing of this waits for a person: it was decided already, or it is not this company’s.",
      fr: "Rien de ceci n’attend une personne : c’est déjà décidé, ou ce n’est pas de cette entreprise.",
    });
  }
}

/** Whoever has made a key that could have sent it. */
export class OwnKey extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "own_key";

  constructor() {
    super({
      en: "You made a key by which these payments could have come, so another person has to decide. Nothing was sent.",
      fr: "Vous avez créé une clé par laquelle ces paiements ont pu venir : une autre personne doit décider. Rien n’a été envoyé.",
    });
  }
}

export class CommentMissing extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "comment_missing";

  constructor() {
    super({
      en: "Say why in a few words, 1000 characters at most: whoever prepared it reads them.",
      fr: "Dites pourquoi en quelques mots, 1000 caractères au plus : la personne qui l’a préparé les lira.",
    });
  }
}
