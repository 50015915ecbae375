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
