import { DomainError } from "../kernel/domain-error.ts";

/** So many wrong codes in one session that it was ended: somebody may have found it open. */
export class TooManyCodes extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "too_many_codes";

  constructor() {
    super({
      en: "Too many wrong codes: you were signed out. Sign in again. Nothing was changed.",
      fr: "Trop de codes incorrects : votre session est terminée. Reconnectez-vous. Rien n’a été changé.",
    });
  }
}

export class TooManyChallenges extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "too_many_challenges";

  constructor(waitSeconds: number) {
    super(
      {
        en: "Passkeys were asked for too often. Wait a little, or use the code of your app.",
        fr: "Trop de demandes de clé d’accès. Attendez un peu, ou utilisez le code de votre application.",
      },
      { retryAfterSeconds: waitSeconds },
    );
  }
}
