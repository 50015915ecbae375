import { DomainError } from "../kernel/domain-error.ts";

export class IdempotencyKeyReused extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "idempotency_key_reused";

  constructor() {
    super(
      "This Idempotency-Key was used before with another request. Use a new key for a new request.",
    );
  }
}

export class InvalidIdempotencyKey extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "invalid_idempotency_key";

  constructor() {
    super("Idempotency-Key must be 1 to 255 printable ASCII characters.");
  }
}
