import { type HeldScope, type HeldSet, heldSetMax } from "../../approvals/held.ts";
import { formatAmount } from "../../pages/format.ts";
import type { PasskeySite } from "../../staff/passkey-site.ts";
import { transferPath } from "../transfers/paths.ts";
import { Notice } from "../views/notice.tsx";
import type { ApprovalsWords } from "../words/approvals.ts";
import { DecisionForms } from "./decision-view.tsx";
import { type HeldCommon, HeldFacts } from "./held-list.tsx";
import { heldPath, scopeFields } from "./held-scope.ts";
import { PaymentRows } from "./payment-rows.tsx";

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
  introducer,
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
  /** Who made such a key and let this person in, by address. */
  readonly introducer: string | undefined;
  /** Where this person's passkeys can be used, if there are any. */
  readonly site: PasskeySite | undefined;
}) {
  const { href } = context;
  const { rows, hash } = held;
  const may = context.may("approvals.decide");
  const mayDecide = may && !isOwn && introducer === undefined;
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
          {mayDecide && <a href="#approve">{approvals.decide}</a>}
        </p>
      </section>
      <PaymentRows
        context={context}
        words={approvals}
        shared={shared}
        rows={rows}
        from={from}
        to={(start) => href(heldPath, { ...scopeFields(scope), from: String(start) })}
        keyOf={({ id }) => id}
        reference={(row) => <a href={href(transferPath(row))}>{row.reference}</a>}
      />
      {!may && <Notice kind="warn" text={words.mayNot} />}
      {may && isOwn && <Notice kind="warn" text={words.ownKey(rows.length === 1)} />}
      {may && !isOwn && introducer !== undefined && (
        <Notice kind="warn" text={approvals.ofIntroducer(introducer)} />
      )}
      {mayDecide && (
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
