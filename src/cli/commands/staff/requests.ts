import { openRequestsOf, peopleOf } from "../../../access/requests.ts";
import { emailsOf } from "../../../staff/people.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { toTable } from "../../table.ts";
import { toRequestValue } from "./describe-request.ts";

export async function listRequestsCommand(
  context: Context,
  { company }: { readonly company?: string },
): Promise<Outcome> {
  const requests = await openRequestsOf(context.database, company);
  const emails = await emailsOf(context.database, peopleOf(requests));
  const clock = await findClock(context, company);
  const rows = requests.map((request) => toRequestValue(request, emails));
  return {
    value: rows,
    text: `${toTable([
      ["REQUEST", "COMPANY", "WHAT", "ASKED FOR BY", "UNTIL"],
      ...rows.map(({ requestId, companyId, what, requestedBy, expiresAt }) => [
        requestId,
        companyId,
        what,
        requestedBy ?? "",
        clock.show(expiresAt),
      ]),
    ])}\n\n${clock.note}`,
  };
}
