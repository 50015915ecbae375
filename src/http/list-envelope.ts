import type { Page } from "../kernel/page.ts";

/** A page as the API shows it. */
export function toListEnvelope<Row, Shown>(page: Page<Row>, show: (row: Row) => Shown) {
  const data = page.rows.map(show);
  return {
    count: data.length,
    limit: page.limit,
    cursor: { prev: page.prev, next: page.next },
    data,
  };
}
