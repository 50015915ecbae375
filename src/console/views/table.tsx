import type { ComponentChildren } from "preact";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Amounts and counts stand at the right, digit under digit. */
  readonly isNumber?: boolean;
  /** Names the row: it is the title of the card that the row becomes on a narrow screen. */
  readonly isHead?: boolean;
}

/** A table that becomes a list of cards on a narrow screen; each cell then has its column's title beside it. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  isCaptionHidden = false,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Where a heading says the same. */
  readonly isCaptionHidden?: boolean;
}) {
  // Styles make cards of the rows; the roles keep it a table for those who hear it.
  return (
    <table role="table">
      <caption class={isCaptionHidden ? "unseen" : undefined}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ key, title, isNumber }) => (
            <th
              key={key}
              role="columnheader"
              scope="col"
              class={isNumber === true ? "number" : undefined}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map((column) => (
              <Cell key={column.key} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { title, cell, isNumber = false, isHead = false } = column;
  const kind = isNumber ? "number" : undefined;
  return isHead ? (
    <th role="rowheader" scope="row" data-title={title} class={kind}>
      {cell(row)}
    </th>
  ) : (
    <td role="cell" data-title={title} class={kind}>
      {cell(row)}
    </td>
  );
}

/** Facts of one thing, a name and a value each. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
