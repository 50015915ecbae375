import { DomainError } from "../kernel/domain-error.ts";
import { type Lapse, type Obstacle, waitingDays } from "./proposal.ts";

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

/** Of somebody who let whoever decides into the company. */
export class OfIntroducer extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "of_introducer";

  constructor(email: string) {
    super({
      en: `${email}, who had a hand in this or made a key for it, let you into the company. Another owner or approver has to decide. Nothing was sent.`,
      fr: `${email}, qui y a participé ou a créé une clé pour cela, vous a fait entrer dans la société. Un autre propriétaire ou approbateur doit décider. Rien n’a été envoyé.`,
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

/** Nobody has decided about it in time. */
export class ProposalExpired extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "proposal_expired";

  constructor() {
    super({
      en: `Nobody decided about this payment within ${waitingDays} days, so it has expired. Ask for it again. Nothing was sent.`,
      fr: `Personne n’a décidé de ce paiement en ${waitingDays} jours : il a expiré. Demandez-le de nouveau. Rien n’a été envoyé.`,
    });
  }
}

/** It waits, and whoever wants it withdrawn had no hand in it. */
export class OthersProposal extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "others_proposal";

  constructor() {
    super({
      en: "While this payment waits, only those who prepared it can withdraw it. An owner or approver can refuse it instead.",
      fr: "Tant que ce paiement attend, seules les personnes qui l’ont préparé peuvent le retirer. Un propriétaire ou un approbateur peut le refuser.",
    });
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

/** Takes a part of a payment back, and carries out of its transaction what stood in the way and how many rows were behind it. */
export class PartHindered extends Error {
  readonly by: Obstacle | Lapse;
  readonly at: number;

  constructor(by: Obstacle | Lapse, at: number) {
    super(by);
    this.by = by;
    this.at = at;
  }
}
