import {
  decidedAtOf,
  groupHeld,
  type HeldDecision,
  type HeldGroup,
  type HeldRow,
  type HeldScope,
  type HeldSet,
  heldSetMax,
} from "../../approvals/held.ts";
import { timeOfUuid, toPublicId } from "../../kernel/ids.ts";
import { formatAmount } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { momentOf } from "../payroll/views.tsx";
import { transferPath } from "../transfers/paths.ts";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Phone } from "../views/phone.tsx";
import { Status } from "../views/status.tsx";
import { Facts, Table } from "../views/table.tsx";
import type { ApprovalsWords } from "../words/approvals.ts";
import type { HeldWords } from "../words/held.ts";
import type { PayrollWords } from "../words/payroll.ts";
import { DecisionForms } from "./decision-view.tsx";
import { heldPath, scopeFields } from "./held-scope.ts";

interface Common {
  readonly context: ScreenContext;
  readonly words: HeldWords;
  readonly shared: PayrollWords;
}

const groupsShown = 15;
const momentOfId = (context: ScreenContext, id: string) =>
  momentOf(context, new Date(timeOfUuid(id)));
const scopeOf = ({ first }: HeldGroup): HeldScope =>
  first.batchId === null
    ? { kind: "transfer", transferId: first.id }
    : { kind: "batch", batchId: first.batchId };

/** What is held, by batch, and where to decide about all of it. */
export function HeldList({ context, words, shared, held }: Common & { readonly held: HeldSet }) {
  const groups = groupHeld(held.rows);
  const shown = groups.slice(0, groupsShown);
  return (
    <section class="stack" aria-labelledby="held">
      <h2 id="held">{words.section}</h2>
      <p>{words.lead}</p>
      <div class="card">
        <HeldFacts context={context} words={words} shared={shared} held={held} />
        <p>
          <a class="button" href={context.href(heldPath)}>
            {words.review}
          </a>
        </p>
      </div>
      <Table
        caption={
          shown.length < groups.length
            ? words.groupsShown(shown.length, groups.length)
            : words.groups
        }
        rows={shown}
        keyOf={({ first }) => first.id}
        columns={[
          {
            key: "what",
            title: shared.reference,
            isHead: true,
            cell: (group) => (
              <a href={context.href(heldPath, scopeFields(scopeOf(group)))}>
                {group.first.batchId === null
                  ? group.first.reference
                  : words.batch(shortened(group.first.batchId))}
              </a>
            ),
          },
          {
            key: "at",
            title: words.accepted,
            cell: ({ first }) => momentOfId(context, first.id),
          },
          { key: "count", title: shared.count, isNumber: true, cell: ({ count }) => count },
          {
            key: "total",
            title: shared.grandTotal,
            isNumber: true,
            cell: ({ total }) => <Money words={context.words} francs={total} />,
          },
        ]}
      />
    </section>
  );
}

/** The end of an id, by which people tell it from others of the same day. */
function shortened(batchId: string): string {
  return `…${toPublicId("bat", batchId).slice(-8)}`;
}

function HeldFacts({ context, words, shared, held }: Common & { readonly held: HeldSet }) {
  const { rows, amount, fee, firstId, lastId } = held;
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  return (
    <Facts
      facts={[
        [shared.count, held.isMore ? `${rows.length}+` : rows.length],
        [shared.total, money(amount)],
        [shared.fees, money(fee)],
        [shared.grandTotal, <strong key="all">{money(amount + fee)}</strong>],
        ...(rows.length === 1
          ? ([[words.accepted, momentOfId(context, firstId)]] as const)
          : ([
              [words.first, momentOfId(context, firstId)],
              [words.last, momentOfId(context, lastId)],
            ] as const)),
      ]}
    />
  );
}

/** Who has decided what of late. */
export function HeldDecisions({
  context,
  words,
  shared,
  decisions,
  emails,
}: Common & {
  readonly decisions: readonly HeldDecision[];
  readonly emails: ReadonlyMap<string, string>;
}) {
  return (
    <section class="stack" aria-labelledby="held-decisions">
      <h2 id="held-decisions">{words.section}</h2>
      <Table
        caption={words.decisions}
        rows={decisions}
        keyOf={({ id }) => id}
        columns={[
          {
            key: "at",
            title: words.decidedAt,
            isHead: true,
            cell: (decision) => momentOf(context, decidedAtOf(decision)),
          },
          {
            key: "verdict",
            title: words.verdict,
            cell: ({ verdict }) => (
              <Status
                tone={verdict === "approved" ? "good" : "bad"}
                word={words.verdicts[verdict]}
              />
            ),
          },
          {
            key: "by",
            title: words.decidedBy,
            cell: ({ decidedBy }) => emails.get(decidedBy) ?? shared.nobody,
          },
          { key: "count", title: shared.count, isNumber: true, cell: ({ rowTotal }) => rowTotal },
          {
            key: "total",
            title: shared.grandTotal,
            isNumber: true,
            cell: ({ totalAmount, totalFee }) => (
              <Money words={context.words} francs={totalAmount + totalFee} />
            ),
          },
          { key: "comment", title: shared.comment, cell: ({ comment }) => comment ?? "" },
        ]}
      />
    </section>
  );
}

const rowsShown = 100;

/** All that one decision is about, and the decision. */
export function HeldReview({
  context,
  words,
  shared,
  approvals,
  title,
  scope,
  held,
  from,
  isOwn,
}: Common & {
  readonly approvals: ApprovalsWords;
  readonly title: string;
  /** With the last that is shown: what comes later is not part of it. */
  readonly scope: HeldScope;
  readonly held: HeldSet;
  /** The first row that is shown, counted from 0. */
  readonly from: number;
  /** This person has made a key by which it could have come. */
  readonly isOwn: boolean;
}) {
  const { href } = context;
  const { rows, hash } = held;
  const may = context.may("approvals.decide");
  const total = formatAmount(context.words, held.amount + held.fee);
  return (
    <>
      <p>
        <a href={href("/console/approvals")}>{words.back}</a>
      </p>
      <div class="stack">
        <h1>{title}</h1>
        <p>{words.lead}</p>
      </div>
      {held.isMore && <Notice kind="warn" text={words.more(String(heldSetMax))} />}
      <section class="card">
        <HeldFacts context={context} words={words} shared={shared} held={held} />
        <Facts
          facts={[
            [
              shared.hash,
              <span key="hash">
                <code>{hash}</code> <span class="soft">{shared.hashHint}</span>
              </span>,
            ],
          ]}
        />
        <p class="row">
          <a href={href(`${heldPath}/content.txt`, scopeFields(scope))}>
            {approvals.downloadContent}
          </a>
          {may && !isOwn && <a href="#approve">{approvals.decide}</a>}
        </p>
      </section>
      <HeldRows
        context={context}
        shared={shared}
        approvals={approvals}
        scope={scope}
        rows={rows}
        from={from}
      />
      {!may && <Notice kind="warn" text={words.mayNot} />}
      {may && isOwn && <Notice kind="warn" text={words.ownKey(rows.length === 1)} />}
      {may && !isOwn && (
        <DecisionForms
          context={context}
          words={approvals}
          path={heldPath}
          fields={{ hash, ...scopeFields(scope) }}
          submit={approvals.approve(rows.length, total)}
          commentHint={words.commentHint}
          refuseHint={words.refuseHint}
        />
      )}
    </>
  );
}

function HeldRows({
  context,
  shared,
  approvals,
  scope,
  rows,
  from,
}: Pick<Common, "context" | "shared"> & {
  readonly approvals: ApprovalsWords;
  readonly scope: HeldScope;
  readonly rows: readonly HeldRow[];
  readonly from: number;
}) {
  const shown = rows.slice(from, from + rowsShown);
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  const to = (start: number) =>
    context.href(heldPath, { ...scopeFields(scope), from: String(start) });
  return (
    <section class="stack">
      <h2>{approvals.content}</h2>
      <Table
        caption={approvals.page(from + 1, from + shown.length, rows.length)}
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          {
            key: "who",
            title: shared.recipient,
            isHead: true,
            cell: ({ msisdn }) => <Phone msisdn={msisdn} />,
          },
          { key: "amount", title: shared.amount, isNumber: true, cell: (row) => money(row.amount) },
          { key: "fee", title: shared.fees, isNumber: true, cell: (row) => money(row.fee) },
          {
            key: "reference",
            title: shared.reference,
            cell: (row) => <a href={context.href(transferPath(row))}>{row.reference}</a>,
          },
          { key: "why", title: shared.description, cell: ({ description }) => description ?? "" },
        ]}
      />
      <nav class="pager" aria-label={context.words.pages}>
        {from > 0 && (
          <a class="button second" rel="prev" href={to(Math.max(0, from - rowsShown))}>
            {approvals.previous}
          </a>
        )}
        {from + rowsShown < rows.length && (
          <a class="button second" rel="next" href={to(from + rowsShown)}>
            {approvals.next}
          </a>
        )}
      </nav>
    </section>
  );
}
