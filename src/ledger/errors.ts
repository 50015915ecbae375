import { sqlState } from "../database/errors.ts";
import { DomainError } from "../kernel/domain-error.ts";

/** A movement would take more out of an account than it holds. */
export class InsufficientFunds extends DomainError {
  override readonly kind = "insufficient-funds";
  override readonly code = "insufficient_funds";

  constructor(options?: ErrorOptions) {
    super(
      {
        en: "The account balance is too low for the amount and its fee. Fund the account, then send the same request again.",
        fr: "Le solde du compte ne couvre pas le montant et ses frais. Approvisionnez le compte, puis renvoyez la même requête.",
      },
      options,
    );
  }
}

/** The operator has frozen the company: nothing of it moves until it is unfrozen. */
export class CompanyFrozen extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "company_frozen";

  constructor(options?: ErrorOptions) {
    super(
      {
        en: "This account is frozen: its requests are refused and none of its money moves. Contact the operator of this service.",
        fr: "Ce compte est bloqué : ses requêtes sont refusées et son argent ne bouge pas. Contactez l’opérateur de ce service.",
      },
      options,
    );
  }
}

/** What the functions of the database say of an account that does not hold what is to leave it. */
export const tooLowState = "CA402";

/** What the functions of the database say of a frozen company. */
export const frozenState = "CA403";

/** Throws CompanyFrozen for a statement that failed because of it, and any other error as it is. */
export function refuseFrozen(error: unknown): never {
  throw sqlState(error) === frozenState ? new CompanyFrozen({ cause: error }) : error;
}
