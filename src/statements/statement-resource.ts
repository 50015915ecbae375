import type { StatementLine } from "./statement.ts";

/** A line as the API shows it. */
export function toLineResource({ proof: _proof, number, at, ...rest }: StatementLine) {
  return { number, at: at.toISOString(), ...rest };
}
