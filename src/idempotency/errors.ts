import { DomainError } from "../kernel/domain-error.ts";

export class IdempotencyKeyReused extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "idempotency_key_reused";

  constructor() {
    super({
      en: "This Idempotency-Key was used before with another request. Use a new key for a new request.",
      fr: "Cette Idempotency-Key a déjà servi pour une autre requête. Prenez une nouvelle clé pour une nouvelle requête.",
    });
  }
}

export class InvalidIdempotencyKey extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "invalid_idempotency_key";

  constructor() {
    const said = {
      en: "Idempotency-Key is empty, too long or holds other characters; it must be 1 to 255 printable ASCII characters.",
      fr: "Idempotency-Key est vide, trop longue ou contient d’autres caractères. Valeur attendue\u00a0: 1 à 255 caractères ASCII imprimables.",
    };
    super(said, { details: [{ field: "Idempotency-Key", code: "invalid", message: said }] });
  }
}
