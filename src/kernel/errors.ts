import { DomainError } from "./domain-error.ts";
import { OperatorError } from "./operator-error.ts";

/** More work than can be finished in time: refused early, before anything was done. */
export class Overloaded extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "overloaded";

  constructor() {
    super(
      "The service has more requests than it can take on right now. Nothing was done; try again shortly.",
    );
  }
}

export class InvalidCursor extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "invalid_cursor";

  constructor() {
    super("The cursor is not one this list gave out. Start again without it.", {
      details: [{ field: "cursor", code: "invalid_cursor", message: "Unknown cursor." }],
    });
  }
}

export class InvalidConfiguration extends OperatorError {
  constructor(problems: readonly string[]) {
    super(
      `The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`,
    );
  }
}
