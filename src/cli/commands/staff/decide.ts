import { confirmRequest, refuseRequest } from "../../../access/decide-requests.ts";
import { getRequest, peopleOf } from "../../../access/requests.ts";
import { emailsOf } from "../../../staff/people.ts";
import { operator } from "../../../trail/actor.ts";
import { confirm } from "../../confirm.ts";
import type { Context, Outcome } from "../../context.ts";
import type { Yes } from "../../run.ts";
import { describeRequest, toRequestValue } from "./describe-request.ts";

interface Options {
  readonly reason?: string;
}

export async function confirmStaffCommand(
  { database }: Context,
  requestId: string,
  options: Options & Yes,
): Promise<Outcome> {
  const asked = await getRequest(database, requestId, undefined);
  const emails = await emailsOf(database, peopleOf([asked]));
  const what = describeRequest(asked, emails);
  const yes = options.yes === true || !process.stdin.isTTY;
  const by = emails.get(asked.requestedBy) ?? "somebody unknown";
  await confirm(
    `${what}, asked for by ${by}. Have you made sure that they are two people, and want it?`,
    { yes },
  );
  const decision = { requestId, companyId: undefined, reason: options.reason };
  const request = await confirmRequest(database, decision, operator("staff confirm"));
  return { value: toRequestValue(request, emails), text: `Confirmed, and in force: ${what}.` };
}

export async function refuseStaffCommand(
  { database }: Context,
  requestId: string,
  { reason }: Options,
): Promise<Outcome> {
  const decision = { requestId, companyId: undefined, reason };
  const request = await refuseRequest(database, decision, operator("staff refuse"));
  const emails = await emailsOf(database, peopleOf([request]));
  return {
    value: toRequestValue(request, emails),
    text: `Refused: ${describeRequest(request, emails)}. Nothing has changed.`,
  };
}
