import { DomainError } from "../kernel/domain-error.ts";

/** A movement would take more out of an account than it holds. */
export class InsufficientFunds extends DomainError {
  override readonly kind = "insufficient-funds";
  override readonly code = "insufficient_funds";

  constructor(options?: ErrorOptions) {
    super("The account balance is too low for the amount and its fee.", options);
  }
}
