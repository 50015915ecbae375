import type { StatementLine } from "./statement.ts";

/** A line as the API shows it. */
export function toLineResource({ proof, at, ...line }: StatementLine) {
  const { number, ...rest } = line;
  return { number, at: at.toISOString(), ...rest };
}
