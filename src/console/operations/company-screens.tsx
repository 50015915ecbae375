import { aloneMaxOf, keysAloneMaxOf } from "../../approvals/rules.ts";
import { companyIdPrefix } from "../../companies/company.ts";
import { findCompany } from "../../companies/find-company.ts";
import { type CompanyPage, searchCompanies } from "../../companies/list-companies.ts";
import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { parsePublicId, toPublicId } from "../../kernel/ids.ts";
import { balancesOf } from "../../ledger/post.ts";
import { readBudgets } from "../../messages/measure-budgets.ts";
import { formatShortMoment } from "../../pages/format.ts";
import { findTroubles } from "../../webhooks/find-troubles.ts";
import type { ConsoleParts } from "../parts.ts";
import { EmptyState } from "../views/empty-state.tsx";
import { Field } from "../views/field.tsx";
import { Money } from "../views/money.tsx";
import { Status } from "../views/status.tsx";
import { Table } from "../views/table.tsx";
import { type OperatorCompanyWords, operatorCompanyWords } from "../words/operator-companies.ts";
import { CompanyView } from "./company-view.tsx";
import { type OperatorContext, operatorScreen } from "./operator-screen.ts";

export const companiesPath = "/console/operations/companies";
const pageSize = 50;
const textMax = 100;

export function companyScreens(app: App, parts: ConsoleParts): void {
  const { database, config, settings } = parts;

  operatorScreen(app, parts, companiesPath, async (context) => {
    const words = operatorCompanyWords[context.language];
    const text = (context.query.get("q") ?? "").trim().slice(0, textMax);
    const id = parsePublicId(companyIdPrefix, text);
    if (id !== undefined && (await findCompany(database, id)) !== undefined)
      return context.seeOther(`${companiesPath}/${text}`);
    const after = parsePublicId(companyIdPrefix, context.query.get("after") ?? "");
    const page = await searchCompanies(database, text, after, pageSize);
    return context.send({
      title: words.companies.title,
      content: <Companies context={context} words={words} text={text} page={page} />,
    });
  });

  operatorScreen(app, parts, `${companiesPath}/:id`, async (context) => {
    const company = await getNamedCompany(parts, context);
    const facts = {
      balances: await balancesOf(database, company.id),
      aloneMax: await aloneMaxOf(database, company.id),
      keysAloneMax: await keysAloneMaxOf(database, company.id),
      budgets: await readBudgets(database, config, company.id),
      troubles: await findTroubles(database, company.id),
    };
    return context.send({
      title: company.name,
      content: (
        <CompanyView context={context} company={company} facts={facts} country={settings.country} />
      ),
    });
  });
}

/** The company that the address names. */
export async function getNamedCompany(
  { database }: ConsoleParts,
  { params }: Pick<OperatorContext, "params">,
) {
  const id = parsePublicId(companyIdPrefix, params["id"] ?? "");
  const company = id === undefined ? undefined : await findCompany(database, id);
  if (company === undefined) throw new RouteNotFound();
  return company;
}

function Companies({
  context,
  words: { companies: words },
  text,
  page: { companies, after },
}: {
  readonly context: OperatorContext;
  readonly words: OperatorCompanyWords;
  readonly text: string;
  readonly page: CompanyPage;
}) {
  const { href, words: frame, timeZone } = context;
  const pathOf = (id: string) => href(`${companiesPath}/${toPublicId(companyIdPrefix, id)}`);
  const next =
    after === undefined
      ? undefined
      : { ...(text === "" ? {} : { q: text }), after: toPublicId(companyIdPrefix, after) };
  return (
    <>
      <h1>{words.title}</h1>
      <form class="filters" method="get" action={href(companiesPath)}>
        <Field id="q" label={words.search}>
          {(described) => (
            <input
              {...described}
              type="search"
              maxlength={textMax}
              value={text}
              autocomplete="off"
            />
          )}
        </Field>
        <button class="second">{words.submit}</button>
      </form>
      {companies.length === 0 ? (
        <EmptyState {...words.empty} />
      ) : (
        <Table
          caption={words.title}
          isCaptionHidden
          rows={companies}
          keyOf={({ id }) => id}
          columns={[
            {
              key: "name",
              title: words.name,
              isHead: true,
              cell: ({ id, name }) => <a href={pathOf(id)}>{name}</a>,
            },
            {
              key: "balance",
              title: words.balance,
              isNumber: true,
              cell: ({ balance }) => <Money words={frame} francs={balance} />,
            },
            {
              key: "state",
              title: words.state,
              cell: ({ isFrozen }) => (
                <Status
                  tone={isFrozen ? "bad" : "good"}
                  word={isFrozen ? words.frozen : words.open}
                />
              ),
            },
            {
              key: "created",
              title: words.created,
              cell: ({ createdAt }) => (
                <span class="moment">{formatShortMoment(frame, timeZone, createdAt)}</span>
              ),
            },
          ]}
        />
      )}
      {next !== undefined && text !== "" && companies.length < pageSize && <p>{words.partly}</p>}
      {next !== undefined && (
        <nav class="pager" aria-label={frame.pages}>
          <a class="button second" rel="next" href={href(companiesPath, next)}>
            {words.next}
          </a>
        </nav>
      )}
    </>
  );
}
