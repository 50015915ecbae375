import type pg from "pg";
import { isBrokenConnection, OutcomeUnknown } from "./errors.ts";

/** Commits, and never guesses. */
export async function commit(client: pg.ClientBase): Promise<void> {
  try {
    const { command } = await client.query("commit");
    // PostgreSQL answers ROLLBACK to the commit of a transaction that had already failed.
    if (command === "ROLLBACK") throw new Error("the transaction had failed and was rolled back");
  } catch (error) {
    throw isBrokenConnection(error) ? new OutcomeUnknown({ cause: error }) : error;
  }
}
