import { type Charge, type ChargeStatus, chargeStatuses } from "../../charges/charge.ts";
import { type SearchPage, type SearchSum, sumRowsMax } from "../../charges/search-charges.ts";
import type { SubCompany } from "../../companies/sub-company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatShortMoment } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { ChosenFilters } from "../views/chosen-filters.tsx";
import { EmptyState } from "../views/empty-state.tsx";
import { Problems } from "../views/field.tsx";
import { FilterForm } from "../views/filter-form.tsx";
import { ListPages } from "../views/list-pages.tsx";
import { ListSum } from "../views/list-sum.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Phone } from "../views/phone.tsx";
import { Status, type Tone } from "../views/status.tsx";
import { type Column, Table } from "../views/table.tsx";
import type { CollectionWords } from "../words/collections.ts";
import { collectionPath, collectionsPath, newLinkPath } from "./paths.ts";
import { type ReadSearch, type SearchField, searchFields } from "./read-search.ts";

export const tones: Readonly<Record<ChargeStatus, Tone>> = {
  due: "wait",
  paid: "good",
  dropped: "idle",
  refunded_partially: "good",
  refunded: "idle",
};

export interface ListProps {
  readonly context: ScreenContext;
  readonly words: CollectionWords;
  readonly asked: ReadSearch;
  /** What was looked for by its name, and not found. */
  readonly missing: string | undefined;
  readonly page: SearchPage;
  readonly sum: SearchSum & { readonly isMore: boolean };
  readonly subCompanies: readonly SubCompany[];
}

export function ListPage(props: ListProps) {
  const { context, words, asked, page, missing, sum } = props;
  const isPassedOver = page.looked !== null;
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        {context.may("charges.propose") && <NewLink context={context} words={words} />}
      </div>
      {missing !== undefined && (
        <Notice kind="warn" text={`${words.notFound(missing)}. ${words.notFoundHint}`} />
      )}
      <Problems
        title={words.wrongFilters}
        problems={asked.wrong.map((field) => ({ field, text: words.wrong[field] }))}
      />
      <FilterForm
        context={context}
        path={collectionsPath}
        words={words}
        asked={asked}
        statuses={chargeStatuses.map((one) => [one, words.statuses[one]] as const)}
        subCompanies={props.subCompanies}
      />
      <Chosen {...props} />
      {page.looked !== null && <Notice kind="warn" text={words.looked(page.looked)} />}
      {page.rows.length > 0 ? (
        <>
          <ListSum
            context={context}
            path={collectionsPath}
            words={words}
            typed={asked.typed}
            sum={sum}
            amounts={[
              [words.sumAmount, sum.amount],
              [words.sumPaid, sum.paid],
              [words.sumRefunded, sum.refunded],
            ]}
            rowsMax={sumRowsMax}
          />
          <Rows {...props} />
        </>
      ) : (
        !isPassedOver && asked.wrong.length === 0 && <Nothing {...props} />
      )}
      {(page.rows.length > 0 || isPassedOver) && (
        <ListPages
          context={context}
          label={words.pageSize}
          path={collectionsPath}
          typed={asked.typed}
          page={page}
        />
      )}
    </>
  );
}

function NewLink({ context, words }: Pick<ListProps, "context" | "words">) {
  return (
    <a class="button" href={context.href(newLinkPath)}>
      {words.new}
    </a>
  );
}

function Nothing({ context, words, asked }: ListProps) {
  if (Object.keys(asked.typed).length > 0)
    return (
      <EmptyState title={words.emptyFiltered} text={words.emptyFilteredHint}>
        <a href={context.href(collectionsPath)}>{words.clear}</a>
      </EmptyState>
    );
  return (
    <EmptyState title={words.empty} text={words.emptyHint}>
      {context.may("charges.propose") && <NewLink context={context} words={words} />}
    </EmptyState>
  );
}

/** The filters that hold, each with the way to do without it. */
function Chosen({ context, words, asked, subCompanies }: ListProps) {
  const shown = (name: SearchField, text: string): string => {
    if (name === "status") return words.statuses[text as ChargeStatus] ?? text;
    if (name === "subCompany")
      return subCompanies.find(({ id }) => toPublicId("subco", id) === text)?.name ?? text;
    return text;
  };
  return (
    <ChosenFilters
      context={context}
      path={collectionsPath}
      labels={searchFields.map((name) => [name, words.fields[name]] as const)}
      typed={asked.typed}
      shown={shown}
    />
  );
}

/** The number that paid it, or tried last. */
export function payerOf({ transactions }: Pick<Charge, "transactions">): string | undefined {
  const payments = transactions.filter(({ type }) => type === "payment");
  return (payments.find(({ status }) => status === "completed") ?? payments.at(-1))?.msisdn;
}

function Rows({ context, words, page, subCompanies }: ListProps) {
  const { href, company } = context;
  const names = new Map(subCompanies.map(({ id, name }) => [id, name]));
  const columns: Column<Charge>[] = [
    {
      key: "at",
      title: words.columns.createdAt,
      cell: (charge) => (
        <a class="moment" href={href(collectionPath(charge))}>
          {formatShortMoment(context.words, company.timeZone, charge.createdAt)}
        </a>
      ),
      isHead: true,
    },
    {
      key: "what",
      title: words.columns.description,
      cell: ({ description, externalId }) => (
        <span>
          {description} <span class="soft under">{externalId}</span>
        </span>
      ),
    },
    {
      key: "payer",
      title: words.columns.payer,
      cell: (charge) => {
        const msisdn = payerOf(charge);
        return msisdn === undefined ? "" : <Phone msisdn={msisdn} />;
      },
    },
    {
      key: "status",
      title: words.columns.status,
      cell: ({ status, droppedReason }) => (
        <span>
          <Status tone={tones[status]} word={words.statuses[status]} />
          {droppedReason !== null && <span class="soft"> {words.dropped[droppedReason].what}</span>}
        </span>
      ),
    },
    ...(names.size === 0
      ? []
      : [
          {
            key: "sub",
            title: words.columns.subCompany,
            cell: (one: Charge) => names.get(one.subCompanyId ?? "") ?? "",
          },
        ]),
    {
      key: "refunded",
      title: words.columns.refunded,
      cell: ({ refunded }) =>
        refunded === 0 ? "" : <Money words={context.words} francs={refunded} />,
      isNumber: true,
    },
    {
      key: "amount",
      title: words.columns.amount,
      cell: ({ amount }) => <Money words={context.words} francs={amount} />,
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
