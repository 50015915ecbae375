import assert from "node:assert/strict";
import { type Queryable, Tx } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import { DomainError } from "../kernel/domain-error.ts";
import type { AccountKind, Movement } from "./posting.ts";
import { insertBooks, insertMovement, selectBalance } from "./store.ts";

/** A movement would take more out of an account than it holds. */
export class InsufficientFunds extends DomainError {
  override readonly kind = "insufficient-funds";
  override readonly code = "insufficient_funds";

  constructor(options?: ErrorOptions) {
    super("The account balance is too low for the amount and its fee.", options);
  }
}

const partsMax = 10_000;

/** Gives a new company its accounts, all at zero. */
export async function openBooks(tx: Tx, companyId: string): Promise<void> {
  await insertBooks(tx, companyId);
}

/**
 * Moves money. It takes an open transaction, so the money and the record of why it moved commit together
 * or not at all. The set-based paths (submit_transfers, settle_transfers) call the same SQL function,
 * post_movements, from inside the database: there is one place that writes postings and balances.
 */
export async function post(tx: Tx, companyId: string, movement: Movement): Promise<void> {
  assert(tx instanceof Tx, "money moves inside a transaction");
  assert(movement.parts.length > 0, "a movement moves something");
  assert(movement.parts.length <= partsMax, `${movement.parts.length} parts exceed ${partsMax}`);
  try {
    await insertMovement(tx, companyId, movement);
  } catch (error) {
    throw sqlState(error) === "CA402" ? new InsufficientFunds({ cause: error }) : error;
  }
}

export async function balanceOf(
  database: Queryable,
  companyId: string,
  kind: AccountKind,
): Promise<number> {
  const balance = await selectBalance(database, companyId, kind);
  assert(balance !== undefined, `company ${companyId} has no account ${kind}`);
  return balance;
}
