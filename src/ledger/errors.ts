import { sqlState } from "../database/errors.ts";
import { balanceMax } from "../kernel/amount.ts";
import { DomainError } from "../kernel/domain-error.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import type { AdjustableAccount, Adjustment, Funding } from "./funding.ts";

/** A movement would take more out of an account than it holds. */
export class InsufficientFunds extends DomainError {
  override readonly kind = "insufficient-funds";
  override readonly code = "insufficient_funds";

  /** What was needed, fees included, and what there was a moment later; nothing is said of it when that suffices. */
  constructor({ needed, available }: { readonly needed: number; readonly available: number }) {
    const missing = needed - available;
    super(
      missing > 0
        ? {
            en: `The account holds ${available} francs, and amount and fee come to ${needed}: ${missing} francs are missing. Fund the account, then send the same request again.`,
            fr: `Le compte contient ${available} francs, le montant et ses frais en demandent ${needed}\u00a0: il manque ${missing} francs. Approvisionnez le compte, puis renvoyez la même requête.`,
          }
        : {
            en: "The account balance was too low for the amount and its fee, and has risen since. Send the same request again.",
            fr: "Le solde du compte ne couvrait pas le montant et ses frais, mais il a augmenté depuis. Renvoyez la même requête.",
          },
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

export class FundingTooLarge extends OperatorError {
  constructor(options?: ErrorOptions) {
    super(`An account can hold at most ${balanceMax} francs, and this would be more.`, options);
  }
}

export class FundingReferenceUsed extends OperatorError {
  constructor(reference: string, { amount, createdAt }: Funding) {
    super(
      `The reference ${JSON.stringify(reference)} was used on ${createdAt.toISOString()} for another amount, ${amount} francs. Nothing was added. Give another reference for another funding.`,
    );
  }
}

/** Of a withdrawal or an adjustment: what is known of the one that used the reference. */
export class MovementReferenceUsed extends OperatorError {
  constructor(reference: string, what: string, createdAt: Date) {
    super(
      `The reference ${JSON.stringify(reference)} was used on ${createdAt.toISOString()} for ${what}. Nothing was moved. Give another reference for another movement.`,
    );
  }
}

export class AccountTooLow extends OperatorError {
  constructor(account: AdjustableAccount, balance: number, amount: number) {
    super(
      `The account ${account} holds ${balance} francs, and ${amount} would leave it. Nothing was moved. (What pending transfers have reserved is not part of it.)`,
    );
  }
}

export class FrozenBooks extends OperatorError {
  constructor(options?: ErrorOptions) {
    super(
      "The company is frozen: none of its money moves. Nothing was moved. Unfreeze it first.",
      options,
    );
  }
}

export class SameAccount extends OperatorError {
  constructor(account: Adjustment["from"]) {
    super(`Money cannot go from ${account} to ${account}: give two different accounts.`);
  }
}
