import type { Tx } from "../database/database.ts";
import { deleteDevicesOf } from "./login-store.ts";
import { clearSecondFactor } from "./second-factor.ts";
import { deleteSessionsOf } from "./sessions-store.ts";
import { updateOperator, updatePassword } from "./store.ts";

/** Sets what was chosen by a link of the person's own, stretched. */
export function choosePassword(tx: Tx, personId: string, stretched: string): Promise<void> {
  return updatePassword(tx, personId, stretched);
}

/** Nothing that the person knew or had is good any more. */
export async function forgetCredentials(tx: Tx, personId: string): Promise<void> {
  await updatePassword(tx, personId, null);
  await clearSecondFactor(tx, personId);
  await deleteDevicesOf(tx, personId);
  await endSessions(tx, personId);
}

/** Whatever the person is signed in with ends, on every node. */
export async function endSessions(tx: Tx, personId: string): Promise<void> {
  await deleteSessionsOf(tx, personId, undefined);
}

export function setOperator(tx: Tx, personId: string, isOperator: boolean): Promise<void> {
  return updateOperator(tx, personId, isOperator);
}
