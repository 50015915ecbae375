import type { Queryable } from "../database/database.ts";
import { type LoggedRequest, selectRefused, selectRequests } from "./store.ts";

export type { LoggedRequest } from "./store.ts";

export const statusClasses = ["2", "4", "5"] as const;
export type StatusClass = (typeof statusClasses)[number];

/** What of a company's requests is wanted. */
export interface RequestFilter {
  readonly statusClass: StatusClass | undefined;
  readonly method: string | undefined;
  /** What the path contains. */
  readonly path: string | undefined;
  readonly keyId: string | undefined;
  readonly correlationId: string | undefined;
  /** An id: only what is older. */
  readonly before: string | undefined;
}

export interface RequestPage {
  readonly requests: readonly LoggedRequest[];
  /** Where the next page begins; undefined: nothing older is left. */
  readonly older: string | undefined;
}

const setSize = 500;
/** Nothing but a refusal's name has an index: one page looks at so many requests, and leads on from there. */
const lookedAtMax = 5_000;
const newest = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A page of a company's requests that match, newest first. */
export async function findRequests(
  database: Queryable,
  companyId: string,
  filter: RequestFilter,
  limit: number,
): Promise<RequestPage> {
  const { correlationId, before } = filter;
  if (correlationId !== undefined && before === undefined) {
    const refused = await selectRefused(database, companyId, correlationId, limit);
    const found = refused.filter((request) => matches(request, filter));
    if (found.length > 0) return { requests: found, older: undefined };
  }
  const requests: LoggedRequest[] = [];
  let cursor = before ?? newest;
  for (let looked = 0; looked < lookedAtMax; looked += setSize) {
    const set = await selectRequests(database, companyId, cursor, setSize);
    requests.push(...set.filter((request) => matches(request, filter)));
    cursor = set.at(-1)?.id ?? cursor;
    const isEnd = set.length < setSize;
    if (requests.length > limit || (requests.length === limit && !isEnd)) {
      const page = requests.slice(0, limit);
      return { requests: page, older: page.at(-1)?.id };
    }
    if (isEnd) return { requests, older: undefined };
  }
  return { requests, older: cursor };
}

function matches(request: LoggedRequest, filter: RequestFilter): boolean {
  const { statusClass, method, path, keyId, correlationId } = filter;
  return (
    (statusClass === undefined || String(request.status).startsWith(statusClass)) &&
    (method === undefined || request.method === method) &&
    (path === undefined || request.path.includes(path)) &&
    (keyId === undefined || request.keyId === keyId) &&
    (correlationId === undefined || request.correlationId === correlationId)
  );
}
