import { changeRoleByOperator } from "../../../access/members.ts";
import { companyIdPrefix } from "../../../companies/company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import type { CompanyRole } from "../../../staff/roles.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";

export async function changeStaffRoleCommand(
  { database }: Context,
  email: string,
  { company, role }: { readonly company: string; readonly role: CompanyRole },
): Promise<Outcome> {
  await changeRoleByOperator(database, email, company, role, operator("staff role"));
  const companyId = toPublicId(companyIdPrefix, company);
  return {
    value: { email, companyId, role },
    text: `${email} works for ${companyId} as ${role}, and is signed out everywhere.`,
  };
}
