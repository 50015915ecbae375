import { keyIdPrefix, listKeys } from "../../companies/credentials.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId, parseUuid, toPublicId } from "../../kernel/ids.ts";
import {
  findRequests,
  type RequestFilter,
  type RequestPage,
  type StatusClass,
  statusClasses,
} from "../../requests/find-requests.ts";
import type { ConsoleParts } from "../parts.ts";
import { screen } from "../screen.ts";
import { requestWords } from "../words/requests.ts";
import { methods, type NamedKey, RequestsView } from "./requests-view.tsx";

const path = "/console/developers/requests";
const pageSize = 50;
const textMax = 128;
/** What a filter finds that cannot be read. */
const nothing: RequestPage = { requests: [], older: undefined };
const noFilter: RequestFilter = {
  statusClass: undefined,
  method: undefined,
  path: undefined,
  keyId: undefined,
  correlationId: undefined,
  before: undefined,
};

/** What programs have asked the API for. */
export function requestScreens(app: App, parts: ConsoleParts): void {
  const { database } = parts;
  screen(app, parts, path, { may: "requests.read" }, async (context) => {
    const { company, query, language } = context;
    const words = requestWords[language];
    const keys = (await listKeys(database, company.id)).map(({ key_id: keyId, name }): NamedKey => {
      const id = toPublicId(keyIdPrefix, keyId);
      return { keyId, id, label: name ?? id };
    });
    const read = readFilter(query, keys);
    const page =
      read === undefined ? nothing : await findRequests(database, company.id, read, pageSize);
    return context.send({
      title: words.title,
      content: (
        <RequestsView
          context={context}
          words={words}
          keys={keys}
          filter={read ?? noFilter}
          isWrong={read === undefined}
          page={page}
        />
      ),
      ...(read === undefined ? { status: 422, isProblem: true } : {}),
    });
  });
}

/** Undefined where something cannot be read; another company's key is as unknown as none. */
function readFilter(query: URLSearchParams, keys: readonly NamedKey[]): RequestFilter | undefined {
  const given = (name: string) => query.get(name)?.trim() || undefined;
  const [status, method, part, key, correlationId, cursor] = [
    "status",
    "method",
    "path",
    "key",
    "correlation",
    "before",
  ].map(given);
  const keyId = key === undefined ? undefined : parsePublicId(keyIdPrefix, key);
  const before = cursor === undefined ? undefined : parseUuid(cursor);
  const isReadable =
    (status === undefined || statusClasses.some((one) => one === status)) &&
    (method === undefined || methods.some((one) => one === method)) &&
    (key === undefined || keys.some((one) => one.keyId === keyId)) &&
    (cursor === undefined || before !== undefined) &&
    [part, correlationId].every(
      (text) => text === undefined || (text.length <= textMax && !text.includes("\u0000")),
    );
  if (!isReadable) return undefined;
  return {
    statusClass: status as StatusClass | undefined,
    method,
    path: part,
    keyId,
    correlationId,
    before,
  };
}
