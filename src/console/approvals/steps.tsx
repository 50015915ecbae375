import { type Proposal, proposalCan } from "../../approvals/proposal.ts";
import type { ScreenContext } from "../context.ts";
import { approvalPath } from "../payroll/paths.ts";
import { Form } from "../views/form.tsx";
import type { ApprovalsWords } from "../words/approvals.ts";

/** To go on with a single payment that was stopped, and to take one back. A payroll has both on its own page. */
export function Steps({
  context,
  words,
  proposal,
}: {
  readonly context: ScreenContext;
  readonly words: ApprovalsWords;
  readonly proposal: Proposal;
}) {
  if (!context.may("transfers.propose")) return null;
  const path = approvalPath(proposal);
  return (
    <>
      {proposalCan.resume(proposal) && (
        <Form context={context} path={`${path}/resume`} submit={words.resume} />
      )}
      {proposalCan.withdraw(proposal, context.person.id) && (
        <Form context={context} path={`${path}/withdraw`} kind="danger" submit={words.withdraw} />
      )}
    </>
  );
}
