import { createHash } from "node:crypto";
import { InvalidCursor } from "./errors.ts";
import { toUuid } from "./ids.ts";

const pageLimitDefault = 15;

/** Whose list it is, and of what: a cursor is good for the list that gave it out and for no other. */
export interface ListKey {
  readonly name:
    | "transactions"
    | "batches"
    | "charges"
    | "sub-companies"
    | "webhooks"
    | "deliveries";
  readonly companyId: string;
}

/** Which rows a page wants. Newest first; `older` follows cursor.next, `newer` follows cursor.prev. */
export interface PageRequest {
  readonly limit: number;
  readonly from?: { readonly direction: "older" | "newer"; readonly id: string };
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly limit: number;
  readonly prev: string | null;
  readonly next: string | null;
}

/**
 * A cursor is the id at the edge of a page, so the ten-thousandth page costs what the first costs and
 * rows that arrive meanwhile shift nothing. It is marked with its list and company: a cursor that
 * another list gave out is refused.
 */
export function parsePageRequest(
  list: ListKey,
  query: { readonly limit?: number; readonly cursor?: string },
): PageRequest {
  const limit = query.limit ?? pageLimitDefault;
  if (query.cursor === undefined) return { limit };

  const bytes = Buffer.from(query.cursor, "base64url");
  const direction = bytes[0] === 0 ? "older" : bytes[0] === 1 ? "newer" : undefined;
  if (
    bytes.length !== 21 ||
    direction === undefined ||
    query.cursor !== bytes.toString("base64url")
  ) {
    throw new InvalidCursor();
  }
  if (!bytes.subarray(17).equals(markOf(list))) throw new InvalidCursor();
  return { limit, from: { direction, id: toUuid(bytes.toString("hex", 1, 17)) } };
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

export function toCursor(list: ListKey, direction: "older" | "newer", id: string): string {
  return Buffer.concat([
    Buffer.from([direction === "older" ? 0 : 1]),
    Buffer.from(id.replaceAll("-", ""), "hex"),
    markOf(list),
  ]).toString("base64url");
}

function markOf({ name, companyId }: ListKey): Buffer {
  return createHash("sha256").update(`cursor:${name}:${companyId}`).digest().subarray(0, 4);
}
