import { DomainError } from "../../kernel/domain-error.ts";

export class FileTooLarge extends DomainError {
  override readonly kind = "too-large";
  override readonly code = "file_too_large";

  constructor(bytesMax: number) {
    const megabytes = bytesMax / 1024 / 1024;
    super({
      en: `The file is larger than ${megabytes} MB. Split it into several files. Nothing was changed.`,
      fr: `Le fichier dépasse ${megabytes} Mo. Répartissez-le en plusieurs fichiers. Rien n’a été changé.`,
    });
  }
}

export class TooManyUploads extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "too_many_uploads";

  /** Whose files take the room that this one needs. */
  constructor(whose: "company" | "everybody") {
    super(
      whose === "company"
        ? {
            en: "Another file of your company is being read. Wait until its page is there, then send this one again. Nothing was changed.",
            fr: "Un autre fichier de votre entreprise est en cours de lecture. Attendez que sa page s’affiche, puis renvoyez celui-ci. Rien n’a été changé.",
          }
        : {
            en: "Many files are being sent at the moment. Send yours again in a few seconds. Nothing was changed.",
            fr: "De nombreux fichiers sont en cours d’envoi. Renvoyez le vôtre dans quelques secondes. Rien n’a été changé.",
          },
      { retryAfterSeconds: 5 },
    );
  }
}
