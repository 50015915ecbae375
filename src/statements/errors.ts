import { DomainError } from "../kernel/domain-error.ts";

/** The company has posted much in a short time, and its sums are still being made. */
export class StatementNotReady extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "statement_not_ready";

  constructor() {
    super(
      {
        en: "The statement is still being summed, because very much was posted lately. Try again in a few seconds.",
        fr: "Le relevé est encore en cours de calcul, car de très nombreuses écritures viennent d’être passées. Réessayez dans quelques secondes.",
      },
      { retryAfterSeconds: 2 },
    );
  }
}
