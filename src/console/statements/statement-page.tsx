import type { SubCompany } from "../../companies/sub-company.ts";
import { dayOf } from "../../kernel/days.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatDate, formatMovement, formatTime } from "../../pages/format.ts";
import { Money as MoneyText } from "../../pages/money.tsx";
import type { Summary } from "../../statements/read-head.ts";
import type { LineTotals, StatementLine } from "../../statements/statement.ts";
import type { ScreenContext } from "../context.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { Field, Problems } from "../views/field.tsx";
import { Money } from "../views/money.tsx";
import { Table } from "../views/table.tsx";
import type { StatementWords } from "../words/statements.ts";
import type { AskedPeriod } from "./read-asked.ts";

export const statementsPath = "/console/statements";

export interface StatementProps {
  readonly context: ScreenContext;
  readonly words: StatementWords;
  readonly asked: AskedPeriod;
  /** As it stands in the address; empty: the whole company. */
  readonly subCompany: string;
  readonly subCompanies: readonly SubCompany[];
  /** Undefined while the period cannot be understood. */
  readonly shown:
    | {
        readonly summary: Summary;
        readonly lines: readonly StatementLine[];
        readonly earlier: string | null;
        readonly later: string | null;
      }
    | undefined;
}

/** What the address of this statement has besides its page. */
function queryOf({ asked, subCompany }: StatementProps): Record<string, string> {
  return {
    ...(asked.month === "" ? { from: asked.from, to: asked.to } : { month: asked.month }),
    ...(subCompany === "" ? {} : { subCompany }),
  };
}

export function StatementPage(props: StatementProps) {
  const { words, shown } = props;
  return (
    <>
      <h1>{words.title}</h1>
      {shown === undefined && (
        <Problems
          title={props.context.words.problem}
          problems={[{ field: "from", text: words.wrong }]}
        />
      )}
      <PeriodForm {...props} />
      {shown !== undefined && (
        <>
          <Head {...props} summary={shown.summary} />
          {shown.lines.length === 0 ? (
            <EmptyState title={words.empty} text={words.emptyHint} />
          ) : (
            <Lines {...props} lines={shown.lines} />
          )}
          <Pages {...props} earlier={shown.earlier} later={shown.later} />
        </>
      )}
    </>
  );
}

function PeriodForm({ context, words, asked, subCompany, subCompanies }: StatementProps) {
  return (
    <section class="card">
      <form method="get" action={context.href(statementsPath)} class="filters">
        <Field id="month" label={words.month}>
          {(described) => (
            <input
              {...described}
              type="month"
              pattern="\d{4}-\d{2}"
              placeholder="2026-01"
              value={asked.month}
            />
          )}
        </Field>
        {(["from", "to"] as const).map((name) => (
          <Field key={name} id={name} label={words[name]}>
            {(described) => (
              <input {...described} type="date" value={asked.month === "" ? asked[name] : ""} />
            )}
          </Field>
        ))}
        {subCompanies.length > 0 && (
          <Field id="subCompany" label={words.subCompany}>
            {(described) => (
              <select {...described}>
                <option value="">{words.whole}</option>
                {subCompanies.map(({ id, name }) => (
                  <option
                    key={id}
                    value={toPublicId("subco", id)}
                    selected={toPublicId("subco", id) === subCompany}
                  >
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <button>{words.show}</button>
      </form>
      <p class="soft">{words.hint}</p>
    </section>
  );
}

function Head(props: StatementProps & { readonly summary: Summary }) {
  const { context, words, subCompany, summary } = props;
  const frame = context.words;
  const query = queryOf(props);
  const isWhole = subCompany === "";
  const figures = [
    [isWhole ? words.opening : words.openingOf, summary.opening],
    [isWhole ? words.closing : words.closingOf, summary.closing],
  ] as const;
  return (
    <>
      <div class="cards">
        {figures.map(([label, francs]) => (
          <section key={label} class="card figure">
            <h2>{label}</h2>
            <p class="large">
              <Money words={frame} francs={francs} />
            </p>
          </section>
        ))}
        <section class="card">
          <h2>{words.download}</h2>
          <p class="row">
            {(["csv", "xlsx", "pdf"] as const).map((format) => (
              <a key={format} href={context.href(`${statementsPath}/export.${format}`, query)}>
                {words[format]}
              </a>
            ))}
          </p>
          <p class="soft">{words.verify}</p>
        </section>
      </div>
      {summary.totals.length > 0 && (
        <Table<LineTotals>
          caption={`${words.totals} (${words.lines(summary.count)})`}
          columns={[
            {
              key: "kind",
              title: words.columns.kind,
              cell: ({ kind }) => words.kinds[kind],
              isHead: true,
            },
            {
              key: "count",
              title: words.count,
              cell: ({ count }) => String(count),
              isNumber: true,
            },
            {
              key: "fee",
              title: words.columns.fee,
              cell: ({ fee }) => <Money words={frame} francs={fee} />,
              isNumber: true,
            },
            {
              key: "amount",
              title: words.columns.amount,
              cell: ({ amount }) => <MoneyText text={formatMovement(frame, amount)} />,
              isNumber: true,
            },
          ]}
          rows={summary.totals}
          keyOf={({ kind }) => kind}
        />
      )}
    </>
  );
}

/** A table for each day, in the order of time, each line with the balance after it. */
function Lines({
  context,
  words,
  lines,
}: StatementProps & { readonly lines: readonly StatementLine[] }) {
  const { timeZone } = context.company;
  const frame = context.words;
  const days = new Map<string, StatementLine[]>();
  for (const line of lines) {
    const day = dayOf(line.at, timeZone);
    days.set(day, [...(days.get(day) ?? []), line]);
  }
  return (
    <>
      {[...days.values()].map((ofDay) => {
        const [first] = ofDay;
        if (first === undefined) return null;
        return (
          <Table<StatementLine>
            key={first.number}
            caption={words.ofDay(formatDate(frame, timeZone, first.at, "long"))}
            columns={[
              {
                key: "time",
                title: words.columns.time,
                cell: ({ at }) => formatTime(timeZone, at),
                isHead: true,
              },
              { key: "kind", title: words.columns.kind, cell: ({ kind }) => words.kinds[kind] },
              {
                key: "what",
                title: words.columns.what,
                cell: (line) => <What context={context} line={line} />,
              },
              {
                key: "fee",
                title: words.columns.fee,
                cell: ({ fee }) => <Money words={frame} francs={fee} />,
                isNumber: true,
              },
              {
                key: "amount",
                title: words.columns.amount,
                cell: ({ amount }) => <MoneyText text={formatMovement(frame, amount)} />,
                isNumber: true,
              },
              {
                key: "balance",
                title: words.columns.balance,
                cell: ({ balanceAfter }) => <Money words={frame} francs={balanceAfter} />,
                isNumber: true,
              },
            ]}
            rows={ofDay}
            keyOf={({ number }) => String(number)}
          />
        );
      })}
    </>
  );
}

function What({
  context,
  line,
}: {
  readonly context: ScreenContext;
  readonly line: StatementLine;
}) {
  const text = line.reference ?? line.externalId ?? line.memo ?? "";
  const isTransfer = line.kind === "transfer" || line.kind === "transfer_returned";
  if (!isTransfer || !context.may("transfers.read")) return <>{text}</>;
  return <a href={context.href(`/console/transfers/${line.id}`)}>{text}</a>;
}

function Pages(
  props: StatementProps & { readonly earlier: string | null; readonly later: string | null },
) {
  const { context, words, earlier, later } = props;
  if (earlier === null && later === null) return null;
  const at = (cursor: string) => context.href(statementsPath, { ...queryOf(props), cursor });
  return (
    <nav class="pager" aria-label={words.pages}>
      {earlier !== null && (
        <a class="button second" rel="prev" href={at(earlier)}>
          {words.earlier}
        </a>
      )}
      {later !== null && (
        <a class="button second" rel="next" href={at(later)}>
          {words.later}
        </a>
      )}
    </nav>
  );
}
