import { sqlState } from "../database/errors.ts";
import { DomainError } from "../kernel/domain-error.ts";

/** A movement would take more out of an account than it holds. */
export class InsufficientFunds extends DomainError {
  override readonly kind = "insufficient-funds";
  override readonly code = "insufficient_funds";

  constructor(options?: ErrorOptions) {
    super("The account balance is too low for the amount and its fee.", options);
  }
}

/** The operator has frozen the company: nothing of it moves until it is unfrozen. */
export class CompanyFrozen extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "company_frozen";

  constructor(options?: ErrorOptions) {
    super(
      "This account is frozen: its requests are refused and none of its money moves. Contact the operator of this service.",
      options,
    );
  }
}

/** What the functions of the database say of a frozen company. */
export const frozenState = "CA403";

/** Throws CompanyFrozen for a statement that failed because of it, and any other error as it is. */
export function refuseFrozen(error: unknown): never {
  throw sqlState(error) === frozenState ? new CompanyFrozen({ cause: error }) : error;
}
