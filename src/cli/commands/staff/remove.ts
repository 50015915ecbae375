import { removeByOperator } from "../../../access/members.ts";
import { companyIdPrefix } from "../../../companies/company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { operator } from "../../../trail/actor.ts";
import { confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import type { Yes } from "../../run.ts";

export async function removeStaffCommand(
  { database }: Context,
  email: string,
  options: Yes & { readonly company?: string },
): Promise<Outcome> {
  const yes = options.yes === true || !process.stdin.isTTY;
  await confirm(`Remove ${email}? Whatever they are signed in with ends at once.`, { yes });
  await removeByOperator(database, email, options.company, operator("staff remove"));
  const companyId =
    options.company === undefined ? null : toPublicId(companyIdPrefix, options.company);
  return {
    value: { email, companyId, removed: true },
    text: `${email} does not work for ${companyId ?? "the operators"} any more, and is signed out everywhere.`,
  };
}
