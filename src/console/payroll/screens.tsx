import { ProposalNotFound } from "../../approvals/errors.ts";
import {
  getContent,
  getProposal,
  listProposals,
  proposalList,
} from "../../approvals/find-proposals.ts";
import { type Proposal, proposalCan, proposalIdPrefix } from "../../approvals/proposal.ts";
import { resume, withdraw } from "../../approvals/withdraw.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId, timeOfUuid } from "../../kernel/ids.ts";
import { parsePageRequest } from "../../kernel/page.ts";
import { takeUploads } from "../../pages/uploads.ts";
import { templateOf } from "../../payouts/template.ts";
import { findProgress, outcomeFile, retryFailed } from "../../payrolls/follow-payroll.ts";
import { findDraftOf, listOpenDrafts } from "../../payrolls/keep-drafts.ts";
import { emailsOf } from "../../staff/people.ts";
import { attempt } from "../attempt.ts";
import type { ActionContext, ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { sendFile } from "../send-file.ts";
import { payrollWords } from "../words/payroll.ts";
import { draftScreens } from "./drafts.tsx";
import { draftPath, payrollPath, runPath } from "./paths.ts";
import { RunView } from "./run-view.tsx";
import { PayrollList } from "./views.tsx";

/** What is prepared waits for somebody who approves it with a proof for exactly that. */
const prepare = { may: "transfers.propose", proof: "none" } as const;
const look = { may: ["transfers.propose", "approvals.decide"] } as const;
const pageSize = 15;

/** Many people paid from a spreadsheet. */
export function payrollScreens(app: App, parts: ConsoleParts): void {
  const { database, desk } = parts;
  takeUploads(app);
  draftScreens(app, parts);

  screen(app, parts, payrollPath, prepare, async (context) => {
    const { company, language, query, href, send } = context;
    const words = payrollWords[language];
    const filter = { kind: "payroll" } as const;
    const cursor = query.get("cursor");
    const request = parsePageRequest(proposalList(company.id, filter), {
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    const page = await listProposals(database, company.id, filter, request);
    const drafts = await listOpenDrafts(database, company.id);
    const to = (mark: string | null) =>
      mark === null ? undefined : href(payrollPath, { cursor: mark });
    const content = (
      <PayrollList
        context={context}
        words={words}
        drafts={drafts}
        payrolls={page.rows.map((proposal) => ({ proposal, at: timeOf(proposal) }))}
        emails={
          await emailsOf(
            database,
            [...drafts, ...page.rows].map(({ madeBy }) => madeBy),
          )
        }
        newer={to(page.prev)}
        older={to(page.next)}
      />
    );
    return send({ title: words.title, content });
  });

  for (const kind of ["csv", "xlsx"] as const)
    screen(app, parts, `${payrollPath}/template.${kind}`, prepare, async ({ reply, language }) =>
      sendFile(reply, `paie.${kind}`, templateOf(language, kind)),
    );

  screen(app, parts, `${payrollPath}/:id`, look, async (context) => {
    const { company, language, send } = context;
    const words = payrollWords[language];
    const proposal = await payrollOf(parts, context);
    const progress = await findProgress(database, company.id, proposal);
    const { hands, decision } = proposal;
    const people = [...hands, ...(decision === null ? [] : [decision.decidedBy])];
    const draft = proposalCan.askAgain(proposal)
      ? await findDraftOf(database, company.id, proposal.id)
      : undefined;
    const content = (
      <RunView
        context={context}
        words={words}
        proposal={proposal}
        progress={progress}
        draftId={context.may("transfers.propose") ? draft?.id : undefined}
        emails={await emailsOf(database, people)}
        at={timeOf(proposal)}
      />
    );
    return send({ title: words.payrollTitle(proposal.title), content });
  });

  screen(app, parts, `${payrollPath}/:id/outcome.csv`, look, async (context) => {
    const proposal = await payrollOf(parts, context);
    const name = `resultat-${proposal.title.replace(/\.(?:csv|xlsx)$/i, "")}.csv`;
    return sendFile(context.reply, name, await outcomeFile(database, context.company.id, proposal));
  });

  const step = (context: ActionContext, { id }: Proposal) => ({
    companyId: context.company.id,
    proposalId: id,
    by: context.by,
  });
  const onPayroll = (
    name: string,
    work: (context: ActionContext, of: Proposal) => Promise<{ to: string; text: string }>,
  ) =>
    action(app, parts, `${payrollPath}/:id/${name}`, prepare, async (context) => {
      const proposal = await payrollOf(parts, context);
      return attempt(context, runPath(proposal), async () => {
        const { to, text } = await work(context, proposal);
        return context.seeOther(to, { kind: "good", text });
      });
    });

  onPayroll("withdraw", async (context, proposal) => {
    await withdraw(desk, step(context, proposal));
    return { to: runPath(proposal), text: payrollWords[context.language].withdrawn };
  });
  onPayroll("resume", async (context, proposal) => {
    await resume(desk, step(context, proposal));
    return { to: runPath(proposal), text: payrollWords[context.language].resumed };
  });
  onPayroll("retry", async (context, proposal) => {
    const { company, by } = context;
    const content = await getContent(database, company.id, proposal.id);
    const subCompanyId = content.kind === "refund" ? null : content.subCompanyId;
    const id = await retryFailed(database, company.id, by, proposal, subCompanyId);
    return { to: draftPath({ id }), text: payrollWords[context.language].retryMade };
  });
}

async function payrollOf({ database }: ConsoleParts, context: ScreenContext): Promise<Proposal> {
  const id = parsePublicId(proposalIdPrefix, context.params["id"] ?? "");
  const proposal = await getProposal(database, context.company.id, id);
  if (proposal.kind !== "payroll") throw new ProposalNotFound();
  return proposal;
}

function timeOf({ id }: Proposal): Date {
  return new Date(timeOfUuid(id));
}
