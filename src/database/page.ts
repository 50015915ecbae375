import type { PageRequest } from "../kernel/page.ts";
import { type Query, sql } from "./sql.ts";

const newestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * The end of a statement that reads one page by `id`, newest first, and one row more that tells whether
 * there is a next page. A page towards newer rows is read upwards; `toPage` turns it round.
 */
export function pageOf(page: PageRequest): Query {
  return page.from?.direction === "newer"
    ? sql`id > ${page.from.id} order by id limit ${page.limit + 1}`
    : sql`id < ${page.from?.id ?? newestId} order by id desc limit ${page.limit + 1}`;
}
