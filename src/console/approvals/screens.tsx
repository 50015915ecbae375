import { approve, refuse } from "../../approvals/decide.ts";
import { findIntroducer } from "../../approvals/decider.ts";
import { findHeld, findHeldDecisions } from "../../approvals/find-held.ts";
import {
  getContent,
  getContentBytes,
  getProposal,
  listProposals,
  proposalList,
} from "../../approvals/find-proposals.ts";
import { type Proposal, proposalIdPrefix } from "../../approvals/proposal.ts";
import { resume, withdraw } from "../../approvals/withdraw.ts";
import { findCharge } from "../../charges/find-charges.ts";
import { findSubCompanies } from "../../companies/find-company.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId, toPublicId } from "../../kernel/ids.ts";
import { parsePageRequest } from "../../kernel/page.ts";
import { emailsOf } from "../../staff/people.ts";
import { codesInSession } from "../../staff/tries.ts";
import { attempt } from "../attempt.ts";
import type { ActionContext, Notice, ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { approvalPath, runPath } from "../payroll/paths.ts";
import { sendChallenge, siteOfPasskeys } from "../read-proof.ts";
import { action, screen } from "../screen.ts";
import { sendFile } from "../send-file.ts";
import { approvalsWords } from "../words/approvals.ts";
import { heldWords } from "../words/held.ts";
import { payrollWords } from "../words/payroll.ts";
import { askedToDecide, decideOnce, personCheck } from "./check-person.ts";
import { mayDecide } from "./decision-view.tsx";
import { heldScreens } from "./held-screens.tsx";
import { ApprovalList, ApprovalView } from "./views.tsx";

const listPath = "/console/approvals";
const look = { may: ["approvals.decide", "transfers.propose"] } as const;
const decide = { may: "approvals.decide", proof: "own" } as const;
const ask = { may: "approvals.decide", proof: "none" } as const;
const prepare = { may: "transfers.propose", proof: "none" } as const;
const pageSize = 15;
const waitingShown = 100;

/** What waits for another person, and the word of that person. */
export function approvalScreens(app: App, parts: ConsoleParts): void {
  const { database, desk, payments } = parts;

  screen(app, parts, listPath, look, async (context) => {
    const { company, language, query, href, send } = context;
    const words = approvalsWords[language];
    const cursor = query.get("cursor");
    const request = parsePageRequest(proposalList(company.id, {}), {
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    const waiting = await listProposals(
      database,
      company.id,
      { isWaiting: true },
      { limit: waitingShown },
    );
    const page = await listProposals(database, company.id, {}, request);
    const to = (mark: string | null) =>
      mark === null ? undefined : href(listPath, { cursor: mark });
    const held = await findHeld(database, company.id);
    const decisions = await findHeldDecisions(database, company.id, pageSize);
    const people = [
      ...[...waiting.rows, ...page.rows].map(({ madeBy }) => madeBy),
      ...decisions.map(({ decidedBy }) => decidedBy),
    ];
    const content = (
      <ApprovalList
        context={context}
        words={words}
        shared={payrollWords[language]}
        emails={await emailsOf(database, people)}
        held={held}
        heldWords={heldWords[language]}
        decisions={decisions}
        waiting={waiting.rows}
        all={page.rows}
        newer={to(page.prev)}
        older={to(page.next)}
      />
    );
    return send({ title: words.title, content });
  });

  heldScreens(app, parts);

  screen(app, parts, `${listPath}/:id`, look, async (context) => {
    const { company, language, query, send } = context;
    const words = approvalsWords[language];
    const proposal = await proposalOf(parts, context);
    const content = await getContent(database, company.id, proposal.id);
    const charge =
      content.kind === "refund"
        ? await findCharge(payments, company.id, content.chargeId)
        : undefined;
    const named = content.kind === "refund" ? null : content.subCompanyId;
    const [subCompany] =
      named === null ? [] : await findSubCompanies(database, company.id, [named]);
    const { hands, decision } = proposal;
    const people = [...hands, ...(decision === null ? [] : [decision.decidedBy])];
    const from = query.get("from") ?? "0";
    const introducer =
      proposal.state === "waiting"
        ? await findIntroducer(database, company.id, context.person.id, hands)
        : undefined;
    const site = mayDecide(context, proposal, introducer)
      ? await siteOfPasskeys(parts, context.person.id)
      : undefined;
    const view = (
      <ApprovalView
        context={context}
        words={words}
        shared={payrollWords[language]}
        emails={await emailsOf(database, people)}
        proposal={proposal}
        content={content}
        from={/^\d{1,6}$/.test(from) ? Math.min(Number(from), proposal.rowTotal - 1) : 0}
        chargeTitle={charge?.description}
        subCompanyName={subCompany?.name}
        introducer={introducer}
        site={site}
      />
    );
    const title = words.paymentTitle(words.kinds[proposal.kind], proposal.title);
    return send({ title, content: view, mayAsk: site !== undefined });
  });

  screen(app, parts, `${listPath}/:id/content.txt`, look, async (context) => {
    const { id } = await proposalOf(parts, context);
    const bytes = await getContentBytes(database, context.company.id, id);
    return sendFile(context.reply, `${toPublicId(proposalIdPrefix, id)}.txt`, once(bytes));
  });

  action(app, parts, `${listPath}/:id/approve`, decide, async (context) => {
    const proposal = await proposalOf(parts, context);
    return attempt(context, approvalPath(proposal), async () => {
      const after = await decideOnce(parts, context, async () =>
        approve(desk, await decisionOf(parts, context, proposal, "approve")),
      );
      const isLong = after.kind === "payroll" && after.state === "approved";
      return context.seeOther(isLong ? runPath(after) : approvalPath(after), said(context, after));
    });
  });

  action(app, parts, `${listPath}/:id/refuse`, decide, async (context) => {
    const proposal = await proposalOf(parts, context);
    return attempt(context, approvalPath(proposal), async () => {
      const comment = context.form.get("comment") ?? "";
      await decideOnce(parts, context, async () =>
        refuse(desk, { ...(await decisionOf(parts, context, proposal, "refuse")), comment }),
      );
      const text = approvalsWords[context.language].refused;
      return context.seeOther(approvalPath(proposal), { kind: "good", text });
    });
  });

  for (const [name, take] of [
    ["withdraw", withdraw],
    ["resume", resume],
  ] as const)
    action(app, parts, `${listPath}/:id/${name}`, prepare, async (context) => {
      const proposal = await proposalOf(parts, context);
      return attempt(context, approvalPath(proposal), async () => {
        const { company, by } = context;
        const after = await take(desk, { companyId: company.id, proposalId: proposal.id, by });
        return context.seeOther(approvalPath(after), saidOfStep(context, after));
      });
    });

  // For the scripts of both forms: what a passkey is to sign in place of the code.
  for (const purpose of ["approve", "refuse"] as const)
    action(app, parts, `${listPath}/:id/${purpose}/challenge`, ask, async (context) => {
      const proposal = await proposalOf(parts, context);
      return sendChallenge(
        parts,
        context.reply,
        askedToDecide(purpose, context, toPublicId(proposalIdPrefix, proposal.id)),
        codesInSession(context.session.id),
      );
    });
}

async function decisionOf(
  parts: ConsoleParts,
  context: ActionContext,
  proposal: Proposal,
  purpose: "approve" | "refuse",
) {
  return {
    companyId: context.company.id,
    proposalId: proposal.id,
    by: context.by,
    reviewedHash: context.form.get("hash") ?? "",
    checkPerson: await personCheck(
      parts,
      context,
      askedToDecide(purpose, context, toPublicId(proposalIdPrefix, proposal.id)),
    ),
  };
}

function said({ language }: ScreenContext, after: Proposal): Notice {
  const words = approvalsWords[language];
  const { problems } = payrollWords[language];
  if (after.state === "lapsed") return { kind: "bad", text: words.lapsed(problems[after.problem]) };
  if (after.state === "stopped")
    return { kind: "bad", text: words.notCarriedOut(problems[after.problem]) };
  return { kind: "good", text: after.state === "approved" ? words.approved : words.carriedOut };
}

function saidOfStep({ language }: ScreenContext, after: Proposal): Notice {
  const words = approvalsWords[language];
  const { problems } = payrollWords[language];
  if (after.state === "withdrawn") return { kind: "good", text: words.withdrawn };
  if (after.state === "stopped" || after.state === "lapsed")
    return { kind: "bad", text: words.notResumed(problems[after.problem]) };
  return { kind: "good", text: after.state === "approved" ? words.approved : words.resumed };
}

async function proposalOf({ database }: ConsoleParts, context: ScreenContext): Promise<Proposal> {
  const id = parsePublicId(proposalIdPrefix, context.params["id"] ?? "");
  return getProposal(database, context.company.id, id);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
