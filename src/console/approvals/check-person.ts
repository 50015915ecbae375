import type { Tx } from "../../database/database.ts";
import { countCodeTry } from "../../staff/login.ts";
import { membershipsOf } from "../../staff/people.ts";
import { roleMay } from "../../staff/roles.ts";
import { useSecondFactor } from "../../staff/second-factor.ts";
import type { ActionContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { MayNotDecide, TooManyApprovalCodes, WrongApprovalCode } from "./errors.ts";

/**
 * Who decides is asked for once more inside the transaction of the decision: whether the role is still theirs, and the code of
 * this moment, which is used up by what it approves. Tries are counted beside it, so that wrong ones are not taken back.
 */
export async function personCheck(
  { database, box, clock }: ConsoleParts,
  { person, company, by, form }: ActionContext,
): Promise<(tx: Tx) => Promise<void>> {
  const waitSeconds = await countCodeTry(database, person.id);
  if (waitSeconds !== undefined) throw new TooManyApprovalCodes(waitSeconds);
  return async (tx) => {
    const membership = (await membershipsOf(tx, person.id)).find(
      ({ companyId }) => companyId === company.id,
    );
    if (membership === undefined || !roleMay(membership.role, "approvals.decide"))
      throw new MayNotDecide();
    const code = (form.get("code") ?? "").slice(0, 100);
    if (!(await useSecondFactor(tx, box, clock(), person, code, by))) throw new WrongApprovalCode();
  };
}
