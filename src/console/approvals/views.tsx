import type { Content } from "../../approvals/content.ts";
import type { HeldDecision, HeldSet } from "../../approvals/held.ts";
import { type Proposal, waitsUntil } from "../../approvals/proposal.ts";
import { timeOfUuid } from "../../kernel/ids.ts";
import type { PasskeySite } from "../../staff/passkey-site.ts";
import { collectionPath } from "../collections/paths.ts";
import type { ScreenContext } from "../context.ts";
import { approvalPath, runPath } from "../payroll/paths.ts";
import { momentOf, tones } from "../payroll/views.tsx";
import { EmptyState } from "../views/empty-state.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Pager } from "../views/pager.tsx";
import { Status } from "../views/status.tsx";
import { Facts, Table } from "../views/table.tsx";
import type { ApprovalsWords } from "../words/approvals.ts";
import type { HeldWords } from "../words/held.ts";
import type { PayrollWords } from "../words/payroll.ts";
import { Decision, mayDecide } from "./decision-view.tsx";
import { HeldDecisions, HeldList } from "./held-list.tsx";
import { PaymentRows } from "./payment-rows.tsx";
import { Steps } from "./steps.tsx";

interface Common {
  readonly context: ScreenContext;
  readonly words: ApprovalsWords;
  /** Of payrolls, which say the same of states and people. */
  readonly shared: PayrollWords;
  readonly emails: ReadonlyMap<string, string>;
}

/** What waits, and everything that was ever asked for. */
export function ApprovalList({
  held,
  heldWords,
  decisions,
  waiting,
  all,
  newer,
  older,
  ...common
}: Common & {
  /** What came by keys and waits. */
  readonly held: HeldSet | undefined;
  readonly heldWords: HeldWords;
  /** About what was held, the newest first. */
  readonly decisions: readonly HeldDecision[];
  readonly waiting: readonly Proposal[];
  readonly all: readonly Proposal[];
  readonly newer: string | undefined;
  readonly older: string | undefined;
}) {
  const { context, words, shared, emails } = common;
  const ofHeld = { context, words: heldWords, shared };
  return (
    <>
      <div class="stack">
        <h1>{words.title}</h1>
        <p>{words.lead}</p>
      </div>
      {held !== undefined && <HeldList {...ofHeld} held={held} />}
      {waiting.length > 0 && <ProposalTable {...common} caption={words.waiting} rows={waiting} />}
      {waiting.length === 0 && held === undefined && (
        <EmptyState title={words.none} text={words.noneText} />
      )}
      {all.length > 0 && <ProposalTable {...common} caption={words.recent} rows={all} />}
      <Pager words={context.words} newer={newer} older={older} />
      {decisions.length > 0 && <HeldDecisions {...ofHeld} decisions={decisions} emails={emails} />}
    </>
  );
}

function ProposalTable({
  context,
  words,
  shared,
  emails,
  caption,
  rows,
}: Common & { readonly caption: string; readonly rows: readonly Proposal[] }) {
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "title",
          title: words.what,
          isHead: true,
          cell: (proposal) => <a href={context.href(approvalPath(proposal))}>{proposal.title}</a>,
        },
        { key: "kind", title: words.kind, cell: ({ kind }) => words.kinds[kind] },
        {
          key: "by",
          title: words.preparedBy,
          cell: ({ madeBy }) =>
            madeBy === context.person.id ? words.own : (emails.get(madeBy) ?? shared.nobody),
        },
        {
          key: "at",
          title: shared.asked,
          cell: ({ id }) => momentOf(context, new Date(timeOfUuid(id))),
        },
        {
          key: "count",
          title: shared.count,
          isNumber: true,
          cell: ({ rowTotal }) => rowTotal,
        },
        {
          key: "total",
          title: shared.total,
          isNumber: true,
          cell: ({ totalAmount }) => <Money words={context.words} francs={totalAmount} />,
        },
        {
          key: "state",
          title: shared.state,
          cell: (proposal) => (
            <>
              <Status tone={tones[proposal.state]} word={words.states[proposal.state]} />
              {proposal.state === "withdrawn" && proposal.problem !== null && (
                <span class="soft"> {shared.problems[proposal.problem]}</span>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

/** All that is in it, and the decision. */
export function ApprovalView({
  context,
  words,
  shared,
  emails,
  proposal,
  content,
  from,
  chargeTitle,
  subCompanyName,
  introducer,
  site,
}: Common & {
  readonly proposal: Proposal;
  readonly content: Content;
  /** The first row that is shown, counted from 0. */
  readonly from: number;
  readonly chargeTitle: string | undefined;
  /** In whose name it is paid, if not in the company's own. */
  readonly subCompanyName: string | undefined;
  /** Who had a hand in it and let this person in, by address. */
  readonly introducer: string | undefined;
  /** Where this person's passkeys can be used, if there are any. */
  readonly site: PasskeySite | undefined;
}) {
  const { href } = context;
  const { decision, hands, kind, state, totalAmount, totalFee, rowTotal } = proposal;
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  const name = (id: string) => emails.get(id) ?? shared.nobody;
  return (
    <>
      <div class="head">
        <h1>{words.paymentTitle(words.kinds[kind], proposal.title)}</h1>
        <Status tone={tones[state]} word={words.states[state]} />
      </div>
      {"problem" in proposal && proposal.problem !== null && (
        <Notice kind="bad" text={shared.problems[proposal.problem]} />
      )}
      <section class="card">
        <Facts
          facts={[
            [words.preparedBy, hands.map(name).join(", ")],
            [shared.asked, momentOf(context, new Date(timeOfUuid(proposal.id)))],
            ...(state === "waiting"
              ? ([[words.waitsUntil, momentOf(context, waitsUntil(proposal))]] as const)
              : []),
            ...(subCompanyName === undefined
              ? []
              : ([[shared.subCompany, subCompanyName]] as const)),
            [shared.count, rowTotal],
            [shared.total, money(totalAmount)],
            [shared.fees, money(totalFee)],
            [shared.grandTotal, <strong key="all">{money(totalAmount + totalFee)}</strong>],
            ...(decision === null
              ? []
              : ([
                  [
                    decision.verdict === "approved" ? words.approvedBy : words.refusedBy,
                    `${name(decision.decidedBy)}, ${momentOf(context, decision.decidedAt)}`,
                  ],
                ] as const)),
            ...(decision?.comment == null ? [] : ([[shared.comment, decision.comment]] as const)),
            [
              shared.hash,
              <span key="hash">
                <code>{proposal.hash}</code> <span class="soft">{shared.hashHint}</span>
              </span>,
            ],
          ]}
        />
        <p class="row">
          <a href={href(`${approvalPath(proposal)}/content.txt`)}>{words.downloadContent}</a>
          {kind === "payroll" && <a href={href(runPath(proposal))}>{shared.progress}</a>}
          {mayDecide(context, proposal, introducer) && <a href="#approve">{words.decide}</a>}
        </p>
      </section>
      {content.kind === "refund" ? (
        <p>
          {words.charge}{" "}
          <a href={href(collectionPath({ id: content.chargeId }))}>
            {chargeTitle ?? content.chargeId}
          </a>
        </p>
      ) : (
        <PaymentRows
          context={context}
          words={words}
          shared={shared}
          rows={content.rows}
          from={from}
          to={(start) => context.href(approvalPath(proposal), { from: String(start) })}
          keyOf={({ reference }) => reference}
          others={
            content.rows.some(({ line }) => line !== null)
              ? [{ key: "line", title: shared.line, isNumber: true, cell: ({ line }) => line }]
              : []
          }
        />
      )}
      {kind !== "payroll" && <Steps context={context} words={words} proposal={proposal} />}
      {state === "waiting" && (
        <Decision
          context={context}
          words={words}
          proposal={proposal}
          introducer={introducer}
          site={site}
        />
      )}
    </>
  );
}
