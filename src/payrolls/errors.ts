import { DomainError } from "../kernel/domain-error.ts";

export class DraftNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "draft_not_found";

  constructor() {
    super({
      en: "No draft of this company has this id. It may have been forgotten.",
      fr: "Aucun brouillon de cette société n’a cet identifiant. Il a peut-être été oublié.",
    });
  }
}

/** Somebody else, or another window, has changed it. */
export class DraftChanged extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "draft_changed";

  constructor() {
    super({
      en: "This draft was changed meanwhile. Look at it again. Nothing was sent.",
      fr: "Ce brouillon a été modifié entre-temps. Vérifiez-le de nouveau. Rien n’a été envoyé.",
    });
  }
}

/** It waits for an approval, or was paid: what was asked for cannot be changed. */
export class DraftClosed extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "draft_closed";

  constructor() {
    super({
      en: "This payroll has been handed in. Withdraw it first to change it. Nothing was changed.",
      fr: "Cette paie a été soumise. Retirez-la d’abord pour la modifier. Rien n’a été changé.",
    });
  }
}

export class DraftNotReady extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "draft_not_ready";

  constructor() {
    super({
      en: "Something is wrong with this draft: mend it first. Nothing was sent.",
      fr: "Ce brouillon contient des erreurs : corrigez-les d’abord. Rien n’a été envoyé.",
    });
  }
}

export class TooManyDrafts extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "too_many_drafts";

  constructor(max: number) {
    super({
      en: `There are ${max} drafts already. Discard those that nobody needs.`,
      fr: `Il y a déjà ${max} brouillons. Supprimez ceux dont personne n’a besoin.`,
    });
  }
}

export class CorrectionsUnreadable extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "corrections_unreadable";

  constructor() {
    super({
      en: "This is not the file of the rows to mend: it needs the columns of the draft, and the one that says which line each row is.",
      fr: "Ce n’est pas le fichier des lignes à corriger : il lui faut les colonnes du brouillon, et celle qui dit le numéro de chaque ligne.",
    });
  }
}

/** The thread that was to read it ended without a word: our fault, not the file's. */
export class FileNotRead extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "file_not_read";

  constructor(options?: ErrorOptions) {
    super(
      {
        en: "The file could not be read because of a problem of the service. Nothing was changed; send it again in a moment.",
        fr: "Le fichier n’a pas pu être lu à cause d’un problème du service. Rien n’a été changé, renvoyez-le dans un instant.",
      },
      options,
    );
  }
}
