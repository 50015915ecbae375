import type { Tx } from "../database/database.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import { isFrozen } from "../ledger/freeze.ts";
import { type Actor, isOperator } from "./actor.ts";
import type { CompanyAction } from "./trail.ts";

/**
 * The holder of a key and a company's people of the console change nothing of a frozen company but who they are, also on a node
 * that has not heard of the freeze. The operator may. Throws CompanyFrozen. test/frozen-writes.long.test.ts tries every operation, so that an
 * action that writes no entry is not let through for that reason.
 */
export async function requireOpen(
  tx: Tx,
  companyId: string,
  by: Actor,
  action: CompanyAction,
): Promise<void> {
  const isRefused = !isOperator(by) && !action.startsWith("person.");
  if (isRefused && (await isFrozen(tx, companyId))) throw new CompanyFrozen();
}
