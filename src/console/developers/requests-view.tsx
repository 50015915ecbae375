import {
  type LoggedRequest,
  type RequestFilter,
  type RequestPage,
  statusClasses,
} from "../../requests/find-requests.ts";
import type { ScreenContext } from "../context.ts";
import { Choice } from "../views/choice.tsx";
import { EmptyState } from "../views/empty-state.tsx";
import { Field, Problems } from "../views/field.tsx";
import { Pager } from "../views/pager.tsx";
import { Status, type Tone } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import type { RequestWords } from "../words/requests.ts";
import { Tabs } from "./tabs.tsx";

const path = "/console/developers/requests";
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A key of the company, by the name that people know. */
export interface NamedKey {
  readonly keyId: string;
  readonly id: string;
  readonly label: string;
}

interface Props {
  readonly context: ScreenContext;
  readonly words: RequestWords;
  readonly keys: readonly NamedKey[];
  readonly filter: RequestFilter;
}

export function RequestsView({
  context,
  words,
  keys,
  filter,
  isWrong,
  page,
}: Props & { readonly isWrong: boolean; readonly page: RequestPage }) {
  const { words: frame, href } = context;
  const to = (more: Record<string, string>) => href(path, { ...keptOf(filter, keys), ...more });
  return (
    <>
      <Tabs context={context} />
      <h1>{words.title}</h1>
      <p class="soft">{words.what}</p>
      {isWrong && (
        <Problems
          title={frame.problem}
          problems={[{ field: "status", text: words.filterProblem }]}
        />
      )}
      <Filters context={context} words={words} keys={keys} filter={filter} />
      {page.requests.length === 0 ? (
        <EmptyState {...words.empty} />
      ) : (
        <Requests context={context} words={words} keys={keys} requests={page.requests} />
      )}
      <Pager
        words={frame}
        newer={filter.before === undefined ? undefined : to({})}
        older={page.older === undefined ? undefined : to({ before: page.older })}
      />
    </>
  );
}

function Filters({ context: { href }, words, keys, filter }: Props) {
  const key = keys.find(({ keyId }) => keyId === filter.keyId)?.id;
  return (
    <form class="filters" method="get" action={href(path)}>
      <Choice
        id="status"
        label={words.status}
        any={words.all}
        choices={statusClasses.map((one) => [one, words.statuses[one]])}
        chosen={filter.statusClass}
      />
      <Choice
        id="method"
        label={words.method}
        any={words.all}
        choices={methods.map((one) => [one, one])}
        chosen={filter.method}
      />
      <Field id="path" label={`${words.path} (${words.pathHint})`}>
        {(described) => (
          <input
            {...described}
            type="text"
            autocomplete="off"
            maxLength={128}
            value={filter.path}
          />
        )}
      </Field>
      <Choice
        id="key"
        label={words.key}
        any={words.all}
        choices={keys.map(({ id, label }) => [id, label])}
        chosen={key}
      />
      <Field id="correlation" label={words.correlation}>
        {(described) => (
          <input
            {...described}
            type="text"
            autocomplete="off"
            maxLength={128}
            value={filter.correlationId}
          />
        )}
      </Field>
      <button class="second">{words.filter}</button>
    </form>
  );
}

function Requests({
  words,
  keys,
  requests,
}: Omit<Props, "filter"> & { readonly requests: readonly LoggedRequest[] }) {
  return (
    <Table
      caption={words.title}
      isCaptionHidden
      rows={requests}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "at",
          title: words.at,
          isHead: true,
          cell: ({ at }) => <span class="code moment">{at.toISOString()}</span>,
        },
        { key: "method", title: words.method, cell: ({ method }) => method },
        {
          key: "path",
          title: words.path,
          cell: (request) => (
            <>
              <span class="code anywhere">{request.path}</span>
              {request.ignoredFields !== null && (
                <p class="soft anywhere">{words.ignored(request.ignoredFields)}</p>
              )}
            </>
          ),
        },
        {
          key: "status",
          title: words.status,
          cell: ({ status }) => <Status tone={toneOf(status)} word={String(status)} />,
        },
        { key: "ms", title: words.ms, isNumber: true, cell: ({ ms }) => ms },
        {
          key: "key",
          title: words.key,
          cell: ({ keyId }) => (
            <span class="anywhere">{keys.find((key) => key.keyId === keyId)?.label}</span>
          ),
        },
        {
          key: "correlation",
          title: words.correlation,
          cell: ({ correlationId }) => <span class="code anywhere">{correlationId}</span>,
        },
      ]}
    />
  );
}

function toneOf(status: number): Tone {
  if (status < 400) return "good";
  return status < 500 ? "idle" : "bad";
}

/** What the addresses of the other pages repeat. */
function keptOf(filter: RequestFilter, keys: readonly NamedKey[]): Record<string, string> {
  const fields = {
    status: filter.statusClass,
    method: filter.method,
    path: filter.path,
    key: keys.find(({ keyId }) => keyId === filter.keyId)?.id,
    correlation: filter.correlationId,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
