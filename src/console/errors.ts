import { DomainError } from "../kernel/domain-error.ts";

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
