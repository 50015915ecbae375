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

  constructor() {
    super(
      {
        en: "Several files are being read at the moment. Send yours again in a few seconds. Nothing was changed.",
        fr: "Plusieurs fichiers sont en cours de lecture. Renvoyez le vôtre dans quelques secondes. Rien n’a été changé.",
      },
      { retryAfterSeconds: 5 },
    );
  }
}
