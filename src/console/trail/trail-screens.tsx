import { keyIdPrefix } from "../../companies/credentials.ts";
import type { App } from "../../http/server.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import { type Row, toWallClock } from "../../spreadsheets/cell.ts";
import { csvWriter } from "../../spreadsheets/write-csv.ts";
import { emailsOf } from "../../staff/people.ts";
import { type TrailEntry, trailIdPrefix } from "../../trail/trail.ts";
import type { ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { screen } from "../screen.ts";
import { sendFile } from "../send-file.ts";
import { Choice } from "../views/choice.tsx";
import { EmptyState } from "../views/empty-state.tsx";
import { Field, Problems } from "../views/field.tsx";
import { Pager } from "../views/pager.tsx";
import { Table } from "../views/table.tsx";
import { type TrailWords, trailWords } from "../words/trail.ts";
import { trailNames } from "../words/trail-names.ts";
import { eachSet, findEntries, readFilter, type TrailFilter } from "./find-entries.ts";

const path = "/console/trail";
const pageSize = 50;
const noFilter: TrailFilter = {
  kind: undefined,
  from: undefined,
  to: undefined,
  before: undefined,
};

type Names = ReadonlyMap<string, string>;

/** The company's trail: filtered, page by page, and as a file. */
export function trailScreens(app: App, parts: ConsoleParts): void {
  const { database } = parts;

  screen(app, parts, path, { may: "trail.read" }, async (context) => {
    const { company, words: frame, language, href, query } = context;
    const words = trailWords[language];
    const filter = readFilter(query, words);
    const { entries, older } = await findEntries(
      database,
      company.id,
      company.timeZone,
      filter ?? noFilter,
      pageSize,
    );
    const names = await namesOf(parts, entries);
    const kept = keptOf(filter ?? noFilter);
    const to = (more: Record<string, string>) => href(path, { ...kept, ...more });
    const content = (
      <>
        <div class="head">
          <h1>{words.title}</h1>
          <div class="row">
            <a href={href(`${path}/export`, kept)}>{words.export}</a>
            <a href={href(`${path}/export`, { ...kept, dialect: "excel-fr" })}>
              {words.exportExcel}
            </a>
          </div>
        </div>
        <p class="soft">{words.what}</p>
        {filter === undefined && (
          <Problems title={frame.problem} problems={[{ field: "from", text: words.dayProblem }]} />
        )}
        <Filters context={context} words={words} filter={filter ?? noFilter} />
        {entries.length === 0 ? (
          <EmptyState {...words.empty} />
        ) : (
          <Entries context={context} words={words} entries={entries} names={names} />
        )}
        <Pager
          words={frame}
          newer={filter?.before === undefined ? undefined : to({})}
          older={older === undefined ? undefined : to({ before: toPublicId(trailIdPrefix, older) })}
        />
      </>
    );
    return context.send({
      title: words.title,
      content,
      ...(filter === undefined ? { status: 422, isProblem: true } : {}),
    });
  });

  screen(app, parts, `${path}/export`, { may: "trail.read" }, async (context) => {
    const { company, language, query, reply } = context;
    const words = trailWords[language];
    const filter = { ...(readFilter(query, words) ?? noFilter), before: undefined };
    const dialect = query.get("dialect") === "excel-fr" ? "excel-fr" : "machine";
    async function* rows() {
      for await (const { entries } of eachSet(database, company.id, company.timeZone, filter)) {
        const names = await namesOf(parts, entries);
        yield entries.map((entry) => toRow(entry, names, words, company.timeZone));
      }
    }
    return sendFile(reply, "trace.csv", csvWriter(words.columns, rows(), dialect));
  });
}

function Filters({
  context: { href },
  words,
  filter,
}: {
  readonly context: ScreenContext;
  readonly words: TrailWords;
  readonly filter: TrailFilter;
}) {
  return (
    <form class="filters" method="get" action={href(path)}>
      <Choice
        id="kind"
        label={words.kind}
        any={words.all}
        choices={Object.entries(words.kinds)}
        chosen={filter.kind}
      />
      <Field id="from" label={words.from}>
        {(described) => <input {...described} type="date" value={filter.from} />}
      </Field>
      <Field id="to" label={words.to}>
        {(described) => <input {...described} type="date" value={filter.to} />}
      </Field>
      <button class="second">{words.filter}</button>
    </form>
  );
}

/** Entries of the trail, as a table. */
export function Entries({
  context: { words: frame, company, language },
  words,
  entries,
  names,
}: {
  readonly context: ScreenContext;
  readonly words: TrailWords;
  readonly entries: readonly TrailEntry[];
  readonly names: Names;
}) {
  const inWords = trailNames[language];
  return (
    <Table
      caption={words.title}
      isCaptionHidden
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "time",
          title: words.time,
          isHead: true,
          cell: ({ at }) => (
            <span class="moment">{formatShortMoment(frame, company.timeZone, at)}</span>
          ),
        },
        {
          key: "who",
          title: words.who,
          cell: ({ by }) => <Breakable text={whoOf(by, names, words)} />,
        },
        {
          key: "action",
          title: words.action,
          cell: ({ action }) => (
            <span title={action}>
              {(inWords.actions as Readonly<Record<string, string>>)[action] ?? action}
            </span>
          ),
        },
        {
          key: "subject",
          title: words.subject,
          cell: ({ subject }) => <Breakable text={subject} />,
        },
        {
          key: "changes",
          title: words.changes,
          cell: ({ changes }) => <span class="anywhere long">{changesOf(changes, inWords)}</span>,
        },
        {
          key: "where",
          title: words.where,
          cell: ({ by }) => ("address" in by ? by.address : ""),
        },
      ]}
    />
  );
}

function toRow(entry: TrailEntry, names: Names, words: TrailWords, timeZone: string): Row {
  return [
    { text: toPublicId(trailIdPrefix, entry.id) },
    { text: entry.at.toISOString() },
    { moment: toWallClock(entry.at, timeZone) },
    { text: whoOf(entry.by, names, words) },
    { text: "address" in entry.by ? entry.by.address : "" },
    { text: entry.via },
    { text: entry.action },
    { text: entry.subject },
    { text: changesOf(entry.changes) },
  ];
}

function whoOf(by: TrailEntry["by"], names: Names, words: TrailWords): string {
  if ("operator" in by) return words.operator(by.operator);
  return "keyId" in by ? toPublicId(keyIdPrefix, by.keyId) : (names.get(by.personId) ?? "");
}

/** An address breaks where its parts meet, before it breaks anywhere else. */
function Breakable({ text }: { readonly text: string }) {
  const [name = "", host] = text.split("@", 2);
  if (host === undefined) return <span class="anywhere">{text}</span>;
  return (
    <span class="anywhere">
      {name}@<wbr />
      {host}
    </span>
  );
}

/** What became of each field: by the codes of the trail, or in words. */
function changesOf(changes: TrailEntry["changes"], inWords?: (typeof trailNames)["fr"]): string {
  const show = (value: string | number | boolean | null) =>
    value === null ? "—" : (inWords?.values[String(value)] ?? String(value));
  return Object.entries(changes)
    .map(([field, { from, to }]) => {
      const name = inWords?.fields[field] ?? field;
      const before = from === null ? "" : `${show(from)} → `;
      return `${name}${inWords?.colon ?? ": "}${before}${show(to)}`;
    })
    .join(", ");
}

export function namesOf(
  { database }: ConsoleParts,
  entries: readonly TrailEntry[],
): Promise<Names> {
  return emailsOf(
    database,
    entries.flatMap(({ by }) => ("personId" in by ? [by.personId] : [])),
  );
}

/** What the addresses of the other pages repeat. */
function keptOf({ kind, from, to }: TrailFilter): Record<string, string> {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
