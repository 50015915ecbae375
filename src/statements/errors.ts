import { DomainError } from "../kernel/domain-error.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import type { UnboundKey } from "./key-bindings.ts";

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

/** One company may not have all of a node's exports to itself. */
export class ExportsTooMany extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "too_many_exports";

  constructor(max: number) {
    super(
      {
        en: `This company has ${max} exports of its statement under way, which is as many as it may have at once. Nothing was done; try again when one of them has ended.`,
        fr: `Cette entreprise a ${max} exports de son relevé en cours, le plus qu’elle puisse avoir à la fois. Rien n’a été fait ; réessayez quand l’un d’eux sera terminé.`,
      },
      { retryAfterSeconds: 5 },
    );
  }
}

/** The operator does not sign beside a key that somebody else has put there. */
export class LedgerKeysUnbound extends OperatorError {
  constructor(keys: readonly UnboundKey[]) {
    const named = keys.map(({ id, why }) => `${id} (${why})`).join(", ");
    super(
      `Nothing was sealed: there are ledger keys that are not bound to the operator's: ${named}. \`cauri ledger-key list\` says what to do.`,
    );
  }
}

export class LedgerKeyNotFound extends OperatorError {
  constructor(id: string) {
    super(`There is no ledger key ${id}. \`cauri ledger-key list\` has them all.`);
  }
}

export class ForgedLedgerKey extends OperatorError {
  constructor(id: string) {
    super(
      `The ledger key ${id} cannot be bound: its id is not that of its public key, so somebody has changed it or made it up.`,
    );
  }
}
