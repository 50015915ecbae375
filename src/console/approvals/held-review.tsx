import { type HeldRow, type HeldScope, type HeldSet, heldSetMax } from "../../approvals/held.ts";
import { formatAmount } from "../../pages/format.ts";
import type { PasskeySite } from "../../staff/passkey-site.ts";
import { transferPath } from "../transfers/paths.ts";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Phone } from "../views/phone.tsx";
import { Table } from "../views/table.tsx";
import type { ApprovalsWords } from "../words/approvals.ts";
import { DecisionForms } from "./decision-view.tsx";
import { type HeldCommon, HeldFacts } from "./held-list.tsx";
import { heldPath, scopeFields } from "./held-scope.ts";

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
  site,
}: HeldCommon & {
  readonly approvals: ApprovalsWords;
  readonly title: string;
  /** With the last that is shown: what comes later is not part of it. */
  readonly scope: HeldScope;
  readonly held: HeldSet;
  /** The first row that is shown, counted from 0. */
  readonly from: number;
  /** This person has made a key by which it could have come. */
  readonly isOwn: boolean;
  /** Where this person's passkeys can be used, if there are any. */
  readonly site: PasskeySite | undefined;
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
        <p>{rows.length === 1 ? words.leadOfOne : words.lead}</p>
      </div>
      {held.isMore && <Notice kind="warn" text={words.more(String(heldSetMax))} />}
      <section class="card">
        <HeldFacts context={context} words={words} shared={shared} held={held} isReview />
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
          site={site}
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
}: Pick<HeldCommon, "context" | "shared"> & {
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
