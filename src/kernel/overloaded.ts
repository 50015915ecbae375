import { DomainError } from "./domain-error.ts";

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
