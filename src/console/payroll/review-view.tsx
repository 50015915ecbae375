import { timeOfUuid } from "../../kernel/ids.ts";
import { formatAmount } from "../../pages/format.ts";
import type { Readings } from "../../payouts/read-payouts.ts";
import type { CheckedDraft } from "../../payrolls/check-draft.ts";
import type { ScreenContext } from "../context.ts";
import { Form } from "../views/form.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Phone } from "../views/phone.tsx";
import { Facts, Table } from "../views/table.tsx";
import type { PayrollWords } from "../words/payroll.ts";
import { draftPath } from "./paths.ts";
import { momentOf } from "./views.tsx";

/** What it comes to, what to mind, and the button that asks for it. */
export function Review({
  context,
  words,
  checked,
  formId,
  emails,
}: {
  readonly context: ScreenContext;
  readonly words: PayrollWords;
  readonly checked: CheckedDraft;
  readonly formId: string;
  readonly emails: ReadonlyMap<string, string>;
}) {
  const { draft, preparation, priceNumber } = checked;
  const { review, names, notIdentified } = preparation;
  const total = review.total + review.fees;
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  return (
    <section class="card" aria-labelledby="review">
      <h2 id="review">{words.review}</h2>
      {warningsOf(context, words, checked, emails).map((text) => (
        <Notice key={text} kind="warn" text={text} />
      ))}
      {notIdentified.length > 0 && (
        <Notice kind="warn" text={words.notIdentified(notIdentified.length)} />
      )}
      <Facts
        facts={[
          [words.count, review.count],
          [words.total, money(review.total)],
          [words.fees, money(review.fees)],
          [words.grandTotal, <strong key="total">{money(total)}</strong>],
          [words.balance, money(review.balance)],
          [words.balanceAfter, money(review.balanceAfter)],
        ]}
      />
      <Table
        caption={words.largest}
        rows={review.largest}
        keyOf={({ line }) => String(line)}
        columns={[
          {
            key: "who",
            title: words.recipient,
            isHead: true,
            cell: ({ msisdn }) => (
              <span>
                <Phone msisdn={msisdn} /> <span class="soft">{names.get(msisdn) ?? ""}</span>
              </span>
            ),
          },
          { key: "line", title: words.line, isNumber: true, cell: ({ line }) => line },
          {
            key: "amount",
            title: words.amount,
            isNumber: true,
            cell: ({ amount }) => money(amount),
          },
        ]}
      />
      <Form
        context={context}
        path={`${draftPath(draft)}/submit`}
        fields={{ version: String(draft.version), price: String(priceNumber), form: formId }}
        submit={words.submit(formatAmount(context.words, total))}
      >
        <p class="soft">{words.submitHint}</p>
      </Form>
    </section>
  );
}

function warningsOf(
  context: ScreenContext,
  words: PayrollWords,
  { completedPhones, readAmounts, earlier }: CheckedDraft,
  emails: ReadonlyMap<string, string>,
): string[] {
  const said = (
    { count, first }: Readings,
    say: (count: number, line: number, typed: string, read: string) => string,
  ) => first.slice(0, 1).map(({ line, typed, read }) => say(count, line, typed, read));
  return [
    ...earlier.map(({ id, madeBy, state }) =>
      words.sameFile(
        momentOf(context, new Date(timeOfUuid(id))),
        emails.get(madeBy) ?? words.nobody,
        words.states[state],
      ),
    ),
    ...said(completedPhones, words.completed),
    ...said(readAmounts, words.interpreted),
  ];
}
