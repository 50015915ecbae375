import { companyIdPrefix } from "../../../companies/company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { eachPerson, membershipsOf } from "../../../staff/people.ts";
import { type Person, personIdPrefix } from "../../../staff/person.ts";
import type { Role } from "../../../staff/roles.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { toTable } from "../../table.ts";

export async function listStaffCommand(
  context: Context,
  { company }: { readonly company?: string },
): Promise<Outcome> {
  const clock = await findClock(context, company);
  const rows: ReturnType<typeof toRow>[] = [];
  for await (const person of eachPerson(context.database)) {
    const memberships = await membershipsOf(context.database, person.id);
    if (person.isOperator && company === undefined) rows.push(toRow(person, null, "operator"));
    for (const { companyId, role } of memberships)
      if (company === undefined || company === companyId) rows.push(toRow(person, companyId, role));
  }
  return {
    value: rows,
    text: `${toTable([
      ["PERSON", "COMPANY", "ROLE", "SECOND FACTOR", "SINCE"],
      ...rows.map(({ email, companyId, role, hasSecondFactor, createdAt }) => [
        email,
        companyId ?? "",
        role,
        hasSecondFactor ? "yes" : "no",
        clock.show(createdAt),
      ]),
    ])}\n\n${clock.note}`,
  };
}

function toRow(person: Person, companyId: string | null, role: Role) {
  return {
    personId: toPublicId(personIdPrefix, person.id),
    email: person.email,
    companyId: companyId === null ? null : toPublicId(companyIdPrefix, companyId),
    role,
    hasSecondFactor: person.hasSecondFactor,
    createdAt: person.createdAt.toISOString(),
  };
}
