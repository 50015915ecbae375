import {
  decidedAtOf,
  groupHeld,
  type HeldDecision,
  type HeldGroup,
  type HeldScope,
  type HeldSet,
} from "../../approvals/held.ts";
import { timeOfUuid, toPublicId } from "../../kernel/ids.ts";
import type { ScreenContext } from "../context.ts";
import { momentOf } from "../payroll/views.tsx";
import { Money } from "../views/money.tsx";
import { Status } from "../views/status.tsx";
import { Facts, Table } from "../views/table.tsx";
import type { HeldWords } from "../words/held.ts";
import type { PayrollWords } from "../words/payroll.ts";
import { heldPath, scopeFields } from "./held-scope.ts";

export interface HeldCommon {
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
export function HeldList({
  context,
  words,
  shared,
  held,
}: HeldCommon & { readonly held: HeldSet }) {
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
          { key: "count", title: words.count, isNumber: true, cell: ({ count }) => count },
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

/** How much it is, and since when. */
export function HeldFacts({
  context,
  words,
  shared,
  held,
  isReview = false,
}: HeldCommon & {
  readonly held: HeldSet;
  /** Exactly what a decision is about, with what it is bound to. */
  readonly isReview?: boolean;
}) {
  const { rows, amount, fee, firstId, lastId, isMore } = held;
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  return (
    <Facts
      facts={[
        [words.count, isMore && !isReview ? `${rows.length}+` : rows.length],
        [shared.total, money(amount)],
        [shared.fees, money(fee)],
        [shared.grandTotal, <strong key="all">{money(amount + fee)}</strong>],
        ...(rows.length === 1
          ? ([[words.accepted, momentOfId(context, firstId)]] as const)
          : ([
              [words.first, momentOfId(context, firstId)],
              [words.last, momentOfId(context, lastId)],
            ] as const)),
        ...(isReview
          ? ([
              [
                shared.hash,
                <span key="hash">
                  <code>{held.hash}</code> <span class="soft">{shared.hashHint}</span>
                </span>,
              ],
            ] as const)
          : []),
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
}: HeldCommon & {
  readonly decisions: readonly HeldDecision[];
  readonly emails: ReadonlyMap<string, string>;
}) {
  return (
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
            <Status tone={verdict === "approved" ? "good" : "bad"} word={words.verdicts[verdict]} />
          ),
        },
        {
          key: "by",
          title: words.decidedBy,
          cell: ({ decidedBy }) => emails.get(decidedBy) ?? shared.nobody,
        },
        { key: "count", title: words.count, isNumber: true, cell: ({ rowTotal }) => rowTotal },
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
  );
}
