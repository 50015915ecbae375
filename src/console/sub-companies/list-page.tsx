import type { SubCompany } from "../../companies/sub-company.ts";
import type { Page } from "../../kernel/page.ts";
import { formatAmount, formatDate } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { ListPages } from "../views/list-pages.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Status } from "../views/status.tsx";
import { type Column, Table } from "../views/table.tsx";
import type { SubCompanyWords } from "../words/sub-companies.ts";
import { Logo, subCompaniesPath, subCompanyPath } from "./logo.tsx";
import { type Month, nameMonth, type Volume } from "./read-month.ts";

export interface ListProps {
  readonly context: ScreenContext;
  readonly words: SubCompanyWords;
  readonly page: Page<SubCompany>;
  readonly month: Month;
  /** Addresses of logos that can be shown. */
  readonly logos: ReadonlySet<string>;
}

export function ListPage(props: ListProps) {
  const { context, words, page, month } = props;
  const name = nameMonth(context.words.locale, context.company.timeZone, month.begins);
  if (page.rows.length === 0)
    return (
      <>
        <h1>{words.title}</h1>
        <EmptyState title={words.empty} text={words.emptyHint} />
      </>
    );
  return (
    <>
      <h1>{words.title}</h1>
      <p class="soft">
        {words.lead} {words.volumeOf(name)}
      </p>
      {month.volumes === null && <Notice kind="warn" text={words.notReady} />}
      <Rows {...props} />
      <ListPages
        context={context}
        label={words.pageSize}
        path={subCompaniesPath}
        typed={{}}
        page={page}
      />
    </>
  );
}

function Rows({ context, words, page, month: { volumes }, logos }: ListProps) {
  const { href, company, words: frame } = context;
  const amount =
    (of: (volume: Volume) => number, note: (volume: Volume) => string) => (one: SubCompany) => {
      const volume = volumes?.get(one.id);
      if (volume === undefined) return "";
      return (
        <span>
          <Money words={frame} francs={of(volume)} /> <span class="soft">{note(volume)}</span>
        </span>
      );
    };
  const columns: Column<SubCompany>[] = [
    {
      key: "name",
      title: words.columns.name,
      isHead: true,
      cell: (one) => (
        <a class="named" href={href(subCompanyPath(one))}>
          <Logo context={context} subCompany={one} isShown={logos.has(one.logoUrl)} />
          <span>{one.name}</span>
        </a>
      ),
    },
    {
      key: "state",
      title: words.columns.state,
      cell: ({ isActive }) => <State words={words} isActive={isActive} />,
    },
    {
      key: "sent",
      title: words.columns.sent,
      isNumber: true,
      cell: amount(
        ({ sent }) => sent,
        ({ sentCount }) => words.transfers(sentCount),
      ),
    },
    {
      key: "collected",
      title: words.columns.collected,
      isNumber: true,
      cell: amount(
        ({ collected }) => collected,
        ({ collectedCount, refunded }) =>
          [
            words.payments(collectedCount),
            ...(refunded === 0 ? [] : [words.refunds(formatAmount(frame, refunded))]),
          ].join(", "),
      ),
    },
    {
      key: "created",
      title: words.columns.createdAt,
      cell: ({ createdAt }) => formatDate(frame, company.timeZone, createdAt, "short"),
    },
  ];
  return (
    <Table
      caption={words.title}
      isCaptionHidden
      columns={columns}
      rows={page.rows}
      keyOf={({ id }) => id}
    />
  );
}

export function State({
  words: { states },
  isActive,
}: {
  readonly words: SubCompanyWords;
  readonly isActive: boolean;
}) {
  return (
    <Status tone={isActive ? "good" : "idle"} word={isActive ? states.active : states.inactive} />
  );
}
