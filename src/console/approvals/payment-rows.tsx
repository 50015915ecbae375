import type { ComponentChildren } from "preact";
import type { PaymentRow } from "../../approvals/content.ts";
import type { ScreenContext } from "../context.ts";
import { Money } from "../views/money.tsx";
import { Phone } from "../views/phone.tsx";
import { type Column, Table } from "../views/table.tsx";
import type { ApprovalsWords } from "../words/approvals.ts";
import type { PayrollWords } from "../words/payroll.ts";

const rowsShown = 100;

/** What a decision is about, payment by payment, as many as a page holds. */
export function PaymentRows<Row extends Omit<PaymentRow, "line">>({
  context,
  words,
  shared,
  rows,
  from,
  to,
  keyOf,
  reference = (row) => row.reference,
  others = [],
}: {
  readonly context: ScreenContext;
  readonly words: ApprovalsWords;
  /** Of payrolls, which have the same columns. */
  readonly shared: PayrollWords;
  readonly rows: readonly Row[];
  /** The first row that is shown, counted from 0. */
  readonly from: number;
  /** The page that begins with this row. */
  readonly to: (start: number) => string;
  readonly keyOf: (row: Row) => string;
  readonly reference?: (row: Row) => ComponentChildren;
  /** Columns that only these payments have. */
  readonly others?: readonly Column<Row>[];
}) {
  const shown = rows.slice(from, from + rowsShown);
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  return (
    <section class="stack">
      <h2>{words.content}</h2>
      <Table
        caption={words.page(from + 1, from + shown.length, rows.length)}
        rows={shown}
        keyOf={keyOf}
        columns={[
          {
            key: "who",
            title: shared.recipient,
            isHead: true,
            cell: ({ msisdn }) => <Phone msisdn={msisdn} />,
          },
          { key: "amount", title: shared.amount, isNumber: true, cell: (row) => money(row.amount) },
          { key: "fee", title: shared.fees, isNumber: true, cell: (row) => money(row.fee) },
          { key: "reference", title: shared.reference, cell: reference },
          { key: "why", title: shared.description, cell: ({ description }) => description ?? "" },
          ...others,
        ]}
      />
      <nav class="pager" aria-label={context.words.pages}>
        {from > 0 && (
          <a class="button second" rel="prev" href={to(Math.max(0, from - rowsShown))}>
            {words.previous}
          </a>
        )}
        {from + rowsShown < rows.length && (
          <a class="button second" rel="next" href={to(from + rowsShown)}>
            {words.next}
          </a>
        )}
      </nav>
    </section>
  );
}
