import { type Command, InvalidArgumentError } from "commander";
import { readEmail } from "../../staff/person.ts";
import { type CompanyRole, companyRoles, isCompanyRole, type Role } from "../../staff/roles.ts";
import { confirmStaffCommand, refuseStaffCommand } from "../commands/staff/decide.ts";
import { inviteStaffCommand } from "../commands/staff/invite.ts";
import { listStaffCommand } from "../commands/staff/list.ts";
import { removeStaffCommand } from "../commands/staff/remove.ts";
import { listRequestsCommand } from "../commands/staff/requests.ts";
import { resetStaffCommand } from "../commands/staff/reset.ts";
import { changeStaffRoleCommand } from "../commands/staff/role.ts";
import { parseCompanyId, parseRequestId } from "../read-options.ts";
import { type Json, run, withJson, withYes, type Yes } from "../run.ts";

/** What people here call them. */
const frenchRoles: Readonly<Record<string, Role>> = {
  propriétaire: "owner",
  proprietaire: "owner",
  préparateur: "preparer",
  preparateur: "preparer",
  approbateur: "approver",
  lecture: "reader",
  développeur: "developer",
  developpeur: "developer",
  opérateur: "operator",
  operateur: "operator",
};

export function addStaffCommands(program: Command): void {
  const staff = program
    .command("staff")
    .description("The people who work with the console, and what they may do");
  withJson(
    staff
      .command("invite")
      .description("Print a link, good once, by which somebody joins a company or the operators"),
  )
    .argument("<email>", "whom to invite", parseEmail)
    .option("--company <company>", "company id; none for an operator", parseCompanyId)
    .requiredOption(
      "--role <role>",
      `${companyRoles.join(", ")}, or operator (French names too)`,
      parseRole,
    )
    .action((email: string, options: Json & { company?: string; role: Role }) =>
      run(options, (context) => inviteStaffCommand(context, email, options)),
    );
  withJson(staff.command("list").description("Who works with the console, for whom, and as what"))
    .option("--company <company>", "only the people of this company", parseCompanyId)
    .action((options: Json & { company?: string }) =>
      run(options, (context) => listStaffCommand(context, options)),
    );
  withJson(staff.command("role").description("Give somebody who works for a company another role"))
    .argument("<email>", "whom", parseEmail)
    .requiredOption("--company <company>", "company id", parseCompanyId)
    .requiredOption(
      "--role <role>",
      `${companyRoles.join(", ")} (French names too)`,
      parseCompanyRole,
    )
    .action((email: string, options: Json & { company: string; role: CompanyRole }) =>
      run(options, (context) => changeStaffRoleCommand(context, email, options)),
    );
  withJson(
    staff
      .command("requests")
      .description("What owners have asked for, and a second owner or you have to confirm"),
  )
    .option("--company <company>", "only those of this company", parseCompanyId)
    .action((options: Json & { company?: string }) =>
      run(options, (context) => listRequestsCommand(context, options)),
    );
  withYes(staff.command("confirm").description("Confirm what an owner has asked for"))
    .argument("<request>", "request id", parseRequestId)
    .option("--reason <text>", "how you made sure")
    .action((id: string, options: Json & Yes & { reason?: string }) =>
      run(options, (context) => confirmStaffCommand(context, id, options)),
    );
  withJson(staff.command("refuse").description("Refuse what an owner has asked for"))
    .argument("<request>", "request id", parseRequestId)
    .option("--reason <text>", "why")
    .action((id: string, options: Json & { reason?: string }) =>
      run(options, (context) => refuseStaffCommand(context, id, options)),
    );
  withYes(staff.command("remove").description("End a membership, and everything signed in"))
    .argument("<email>", "whose", parseEmail)
    .option("--company <company>", "company id; none for an operator", parseCompanyId)
    .action((email: string, options: Json & Yes & { company?: string }) =>
      run(options, (context) => removeStaffCommand(context, email, options)),
    );
  withYes(
    staff
      .command("reset")
      .description("For a lost second factor: print a link to choose it and the password anew"),
  )
    .argument("<email>", "whose", parseEmail)
    .action((email: string, options: Json & Yes) =>
      run(options, (context) => resetStaffCommand(context, email, options)),
    );
}

function parseEmail(text: string): string {
  const email = readEmail(text);
  if (email === undefined)
    throw new InvalidArgumentError("Give an e-mail address, such as awa@boutique.example.");
  return email;
}

function parseRole(text: string): Role {
  const role = text.trim().toLowerCase();
  const known = role === "operator" || isCompanyRole(role) ? role : frenchRoles[role];
  if (known === undefined)
    throw new InvalidArgumentError(`Give one of ${companyRoles.join(", ")}, operator.`);
  return known;
}

function parseCompanyRole(text: string): CompanyRole {
  const role = parseRole(text);
  if (role === "operator")
    throw new InvalidArgumentError(`Give one of ${companyRoles.join(", ")}.`);
  return role;
}
