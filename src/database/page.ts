import type { PageRequest } from "../kernel/page.ts";
import { type Query, sql } from "./sql.ts";

const newestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * The end of a statement that reads one page by its ids, newest first, and one row more that tells whether
 * there is a next page. A page towards newer rows is read upwards; `toPage` turns it round.
 */
export function pageOf(page: PageRequest, id: Query = sql`id`): Query {
  return page.from?.direction === "newer"
    ? sql`${id} > ${page.from.id} order by ${id} limit ${page.limit + 1}`
    : sql`${id} < ${page.from?.id ?? newestId} order by ${id} desc limit ${page.limit + 1}`;
}

/** The order that `pageOf` reads in, for a statement around it. */
export function orderOf(page: PageRequest, id: Query = sql`id`): Query {
  return page.from?.direction === "newer" ? id : sql`${id} desc`;
}
