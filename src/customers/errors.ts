import { DomainError } from "../kernel/domain-error.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import type { CodeRefused } from "./one-time-code.ts";

/** Rolls back the sending of a code because no message may be sent. */
export class NoRoomForCode extends Error {
  readonly refusal: CodeRefused;

  constructor(refusal: CodeRefused) {
    super(`no code is sent: ${refusal.limit}`);
    this.refusal = refusal;
  }
}

export class CustomerNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "customer_not_found";

  constructor() {
    super({
      en: "There is no customer with this phone number.",
      fr: "Aucun client n’a ce numéro de téléphone.",
    });
  }
}

export class CustomerExists extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "customer_exists";

  constructor() {
    super({
      en: "A customer with this phone number is already in the book; use `customer set` to change it.",
      fr: "Un client avec ce numéro de téléphone est déjà au registre. Changez-le avec `customer set`.",
    });
  }
}

export class WalletFrozen extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "wallet_frozen";

  constructor() {
    super({
      en: "The payer's wallet is frozen and cannot receive money now. Nothing was refunded; ask the operator of this service.",
      fr: "Le portefeuille du payeur est bloqué et ne peut rien recevoir. Rien n’a été remboursé ; adressez-vous à l’opérateur de ce service.",
    });
  }
}

/** Somebody else wrote into the book between the look and the lock; nothing of the set was written. */
export class CustomersChangedMeanwhile extends OperatorError {
  constructor() {
    super(
      "The book was changed by somebody else at the same time. Run the command again: it goes on.",
    );
  }
}
