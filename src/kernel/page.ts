import { createHash } from "node:crypto";
import { InvalidCursor } from "./errors.ts";
import { uuidShape } from "./ids.ts";

const pageLimitDefault = 15;
const markBytes = 4;

/** What tells a list from every other: its name, and whose it is. */
export type ListKey = Readonly<Record<string, string>>;

type Direction = "older" | "newer";

/** Which rows a page wants. Newest first; `older` follows cursor.next, `newer` follows cursor.prev. */
export interface PageRequest {
  readonly limit: number;
  /** `id` is the id of the row at the edge, or whatever else is a row's place in its list. */
  readonly from?: { readonly direction: Direction; readonly id: string };
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly limit: number;
  readonly prev: string | null;
  readonly next: string | null;
}

/**
 * A cursor is the id at the edge of a page, so the ten-thousandth page costs what the first costs and
 * rows that arrive meanwhile shift nothing. It is marked with its list: a cursor that another list gave out is
 * refused, and so is one whose id does not have the list's shape, because anybody can write one.
 */
export function parsePageRequest(
  list: ListKey,
  query: { readonly limit?: number; readonly cursor?: string },
  idShape: RegExp = uuidShape,
): PageRequest {
  const limit = query.limit ?? pageLimitDefault;
  if (query.cursor === undefined) return { limit };

  const bytes = Buffer.from(query.cursor, "base64url");
  const direction = (["older", "newer"] as const)[bytes[0] ?? -1];
  const id = bytes.toString("utf8", 1 + markBytes);
  if (direction === undefined || !idShape.test(id)) throw new InvalidCursor();
  if (toCursor(list, direction, id) !== query.cursor) throw new InvalidCursor();
  return { limit, from: { direction, id } };
}

/**
 * Makes a page of the rows a store returned: at most `limit + 1`, in the order they were asked for,
 * the one row too many telling that there is more.
 */
export function toPage<Row extends { readonly id: string }>(
  list: ListKey,
  request: PageRequest,
  found: readonly Row[],
): Page<Row> {
  const more = found.length > request.limit;
  const newer = request.from?.direction === "newer";
  const rows = found.slice(0, request.limit);
  if (newer) rows.reverse();

  const first = rows.at(0)?.id ?? request.from?.id;
  const last = rows.at(-1)?.id ?? request.from?.id;
  const hasPrev = newer ? more : request.from !== undefined;
  const hasNext = newer || more;
  return {
    rows,
    limit: request.limit,
    prev: hasPrev && first !== undefined ? toCursor(list, "newer", first) : null,
    next: hasNext && last !== undefined ? toCursor(list, "older", last) : null,
  };
}

export function toCursor(list: ListKey, direction: Direction, id: string): string {
  const said = Object.entries(list).map(([name, value]) => `${name}=${value}`);
  const mark = createHash("sha256").update(said.toSorted().join("&")).digest();
  return Buffer.concat([
    Buffer.from([direction === "older" ? 0 : 1]),
    mark.subarray(0, markBytes),
    Buffer.from(id),
  ]).toString("base64url");
}
