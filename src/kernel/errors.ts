import { DomainError } from "./domain-error.ts";
import { OperatorError } from "./operator-error.ts";

/** More work than can be finished in time: refused early, before anything was done. */
export class Overloaded extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "overloaded";

  constructor() {
    super({
      en: "The service has more requests than it can take on right now. Nothing was done; try again shortly.",
      fr: "Le service a plus de requêtes qu’il ne peut en traiter. Rien n’a été fait, réessayez dans un instant.",
    });
  }
}

export class InvalidCursor extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "invalid_cursor";

  constructor() {
    const said = {
      en: "cursor is not one that this list gave out. Send cursor.next or cursor.prev of a page of this list, or start again without it.",
      fr: "cursor n’a pas été donné par cette liste. Envoyez le cursor.next ou le cursor.prev d’une page de cette liste, ou recommencez sans lui.",
    };
    super(said, { details: [{ field: "cursor", code: "invalid_cursor", message: said }] });
  }
}

export class InvalidConfiguration extends OperatorError {
  constructor(problems: readonly string[]) {
    super(
      `The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`,
    );
  }
}

/** Work in a thread took more time or memory than it is given. */
export class ThreadExceeded extends Error {}
