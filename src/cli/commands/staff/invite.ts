import { invite } from "../../../access/links.ts";
import { companyIdPrefix } from "../../../companies/company.ts";
import { getCompany } from "../../../companies/find-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import type { Role } from "../../../staff/roles.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";
import { CompanyAndRoleMismatch } from "../../errors.ts";
import { findClock } from "../../find-clock.ts";
import { describeLink } from "./describe-link.ts";

export async function inviteStaffCommand(
  context: Context,
  email: string,
  { company: companyId, role }: { readonly company?: string; readonly role: Role },
): Promise<Outcome> {
  const { config, database } = context;
  const by = operator("staff invite");
  if ((role === "operator") !== (companyId === undefined)) throw new CompanyAndRoleMismatch();
  const company = companyId === undefined ? undefined : await getCompany(database, companyId);
  const request =
    role === "operator" || company === undefined
      ? ({ email, companyId: null, role: "operator" } as const)
      : { email, companyId: company.id, role };
  const { token, expiresAt } = await invite(database, new Date(), request, by);
  const { link, notes } = describeLink(config, token);
  const clock = await findClock(context, company?.id);
  return {
    value: {
      email,
      companyId: company === undefined ? null : toPublicId(companyIdPrefix, company.id),
      role,
      link,
      expiresAt: expiresAt.toISOString(),
    },
    text: [
      `${email} joins ${company === undefined ? "the operators" : company.name} as ${role} by this link. It is shown this once:`,
      `  ${link}`,
      ...notes,
      `It is good once, until ${clock.spell(expiresAt)}. Whoever has it gets in: send it to nobody else.`,
    ].join("\n"),
  };
}
