import type { SubCompany } from "../../companies/sub-company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import { type SearchPage, type SearchSum, sumRowsMax } from "../../transfers/search-transfers.ts";
import { createdAtOf, type Transfer } from "../../transfers/transfer.ts";
import type { ScreenContext } from "../context.ts";
import { ChosenFilters } from "../views/chosen-filters.tsx";
import { EmptyState } from "../views/empty-state.tsx";
import { Problems } from "../views/field.tsx";
import { ListPages } from "../views/list-pages.tsx";
import { ListSum } from "../views/list-sum.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Phone } from "../views/phone.tsx";
import { Status, type Tone } from "../views/status.tsx";
import { type Column, Table } from "../views/table.tsx";
import type { TransferWords } from "../words/transfers.ts";
import { newTransferPath, transferPath, transfersPath } from "./paths.ts";
import { type ReadSearch, searchFields } from "./read-search.ts";
import { TransferFilters } from "./transfer-filters.tsx";

export const tones: Readonly<Record<Transfer["status"], Tone>> = {
  pending: "wait",
  completed: "good",
  failed: "bad",
};

export interface ListProps {
  readonly context: ScreenContext;
  readonly words: TransferWords;
  readonly asked: ReadSearch;
  /** What was looked for by its name, and not found. */
  readonly missing: string | undefined;
  readonly page: SearchPage;
  readonly sum: SearchSum & { readonly isMore: boolean };
  readonly subCompanies: readonly SubCompany[];
}

export function ListPage(props: ListProps) {
  const { context, words, asked, page, missing, sum } = props;
  const isFiltered = Object.keys(asked.typed).length > 0;
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        {context.may("transfers.propose") && (
          <a class="button" href={context.href(newTransferPath)}>
            {words.new}
          </a>
        )}
      </div>
      {missing !== undefined && (
        <Notice kind="warn" text={`${words.notFound(missing)}. ${words.notFoundHint}`} />
      )}
      <Problems
        title={words.wrongFilters}
        problems={asked.wrong.map((field) => ({ field, text: words.wrong[field] }))}
      />
      <TransferFilters {...props} />
      <Chosen {...props} />
      {page.looked !== null && <Notice kind="warn" text={words.looked(page.looked)} />}
      {page.rows.length > 0 ? (
        <>
          <ListSum
            context={context}
            path={transfersPath}
            words={words}
            typed={asked.typed}
            sum={sum}
            amounts={[
              [words.sumAmount, sum.amount],
              [words.sumFee, sum.fee],
            ]}
            rowsMax={sumRowsMax}
          />
          <Rows {...props} />
        </>
      ) : (
        page.looked === null &&
        asked.wrong.length === 0 && <Nothing {...props} isFiltered={isFiltered} />
      )}
      {(page.rows.length > 0 || page.looked !== null) && (
        <ListPages
          context={context}
          label={words.pageSize}
          path={transfersPath}
          typed={asked.typed}
          page={page}
        />
      )}
    </>
  );
}

function Nothing({ context, words, isFiltered }: ListProps & { readonly isFiltered: boolean }) {
  const { href, may } = context;
  if (isFiltered)
    return (
      <EmptyState title={words.emptyFiltered} text={words.emptyFilteredHint}>
        <a href={href(transfersPath)}>{words.clear}</a>
      </EmptyState>
    );
  return (
    <EmptyState title={words.empty} text={words.emptyHint}>
      {may("transfers.propose") && (
        <a class="button" href={href(newTransferPath)}>
          {words.new}
        </a>
      )}
    </EmptyState>
  );
}

/** The filters that hold, and what is done with exactly them. */
function Chosen({ context, words, asked, subCompanies }: ListProps) {
  const shown = (name: (typeof searchFields)[number], text: string): string => {
    if (name === "status") return words.statuses[text as Transfer["status"]] ?? text;
    if (name === "reason")
      return words.reasons[text as keyof TransferWords["reasons"]]?.what ?? text;
    if (name === "subCompany")
      return subCompanies.find(({ id }) => toPublicId("subco", id) === text)?.name ?? text;
    return text;
  };
  return (
    <ChosenFilters
      context={context}
      path={transfersPath}
      labels={searchFields.map((name) => [name, words.fields[name]] as const)}
      typed={asked.typed}
      shown={shown}
    />
  );
}

function Rows({ context, words, page, subCompanies }: ListProps) {
  const { href, company } = context;
  const names = new Map(subCompanies.map(({ id, name }) => [id, name]));
  const columns: Column<Transfer>[] = [
    {
      key: "at",
      title: words.columns.createdAt,
      cell: (transfer) => (
        <a class="moment" href={href(transferPath(transfer))}>
          {formatShortMoment(context.words, company.timeZone, createdAtOf(transfer))}
        </a>
      ),
      isHead: true,
    },
    { key: "to", title: words.columns.recipient, cell: (one) => <Phone msisdn={one.msisdn} /> },
    { key: "reference", title: words.columns.reference, cell: (one) => one.reference },
    {
      key: "status",
      title: words.columns.status,
      cell: (one) => (
        <span>
          <Status tone={tones[one.status]} word={words.statuses[one.status]} />
          {one.failureReason !== null && (
            <span class="soft"> {words.reasons[one.failureReason].what}</span>
          )}
        </span>
      ),
    },
    ...(names.size === 0
      ? []
      : [
          {
            key: "sub",
            title: words.columns.subCompany,
            cell: (one: Transfer) => names.get(one.subCompanyId ?? "") ?? "",
          },
        ]),
    {
      key: "fee",
      title: words.columns.fee,
      cell: (one) => <Money words={context.words} francs={one.fee} />,
      isNumber: true,
    },
    {
      key: "amount",
      title: words.columns.amount,
      cell: (one) => <Money words={context.words} francs={one.amount} />,
      isNumber: true,
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
