import { DomainError } from "../kernel/domain-error.ts";
import { type Quota, termsOf } from "./quota.ts";

/** The window of a quota is spent; nothing was done. */
export class QuotaExceeded extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "quota_exceeded";

  constructor({ name, max }: Quota, retryAfterSeconds: number) {
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
    const { en, fr } = termsOf[name].sentence(max);
    const said = {
      en: `${en} The next can be done in ${seconds} seconds.`,
      fr: `${fr} Réessayez dans ${seconds} secondes.`,
    };
    super(said, { retryAfterSeconds: seconds });
  }
}
