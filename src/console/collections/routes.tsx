import { type Charge, chargeCan } from "../../charges/charge.ts";
import { getCharge } from "../../charges/find-charges.ts";
import { lookUpCharges } from "../../charges/look-up.ts";
import { searchCharges, sumCharges, walkCharges } from "../../charges/search-charges.ts";
import { findSubCompanies } from "../../companies/find-company.ts";
import { listSubCompanies } from "../../companies/sub-companies.ts";
import type { App } from "../../http/server.ts";
import { findCountry } from "../../kernel/countries.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { parsePageRequest, toPage } from "../../kernel/page.ts";
import { readSoughtPhone } from "../../kernel/read-phone.ts";
import { sendPage } from "../../pages/send-page.ts";
import { csvWriter } from "../../spreadsheets/write-csv.ts";
import type { ConsoleCompany, ScreenContext } from "../context.ts";
import { readPageSize, readSearchText } from "../list-query.ts";
import type { ConsoleParts } from "../parts.ts";
import { screen } from "../screen.ts";
import { sendFile } from "../send-file.ts";
import { collectionWords } from "../words/collections.ts";
import { linkWords } from "../words/payment-link.ts";
import { headerOf, type RowsFor, toRow } from "./charge-rows.ts";
import { DetailPage } from "./detail-page.tsx";
import { findWaitingRefunds } from "./find-refunds.ts";
import { ListPage } from "./list-page.tsx";
import { newLinkScreens } from "./new-routes.tsx";
import { collectionPath, collectionsPath } from "./paths.ts";
import { PrintPage } from "./print-page.tsx";
import { readSearch } from "./read-search.ts";
import { readTimeline } from "./read-timeline.ts";
import { refundScreens } from "./refund-routes.tsx";

const look = { may: "charges.read" } as const;
/** Sub-companies that a filter offers; others are found by the address of their page. */
const subCompaniesOffered = 100;

export function collectionScreens(app: App, parts: ConsoleParts): void {
  const { database, settings, payments, links } = parts;
  const placeOf = ({ country, timeZone }: ConsoleCompany) => ({
    country: findCountry(country) ?? settings.country,
    timeZone,
  });

  screen(app, parts, collectionsPath, look, async (context) => {
    const { company, language, query, send, seeOther } = context;
    const words = collectionWords[language];
    const text = readSearchText(query.get("q"));
    if (text !== "") {
      const found = await lookUpCharges(database, [company.id], text);
      const [one] = found;
      if (one !== undefined && found.length === 1) return seeOther(collectionPath(one));
      const phone = readSoughtPhone(text, placeOf(company).country);
      if (one === undefined && phone !== undefined)
        return seeOther(`${collectionsPath}?phone=${phone}`);
    }
    const asked = readSearch(query, placeOf(company));
    const limit = readPageSize(query);
    const cursor = query.get("cursor");
    const list = { name: "charges", companyId: company.id };
    const request = parsePageRequest(list, { limit, ...(cursor === null ? {} : { cursor }) });
    const isReadable = asked.wrong.length === 0;
    // First, because it drops what is overdue: the sum is of what the page shows.
    const page = isReadable
      ? await searchCharges(payments, company.id, asked.search, request)
      : { ...toPage<Charge>(list, { limit }, []), looked: null };
    const [sum, subCompanies] = await Promise.all([
      isReadable
        ? sumCharges(database, company.id, asked.search)
        : { count: 0, amount: 0, paid: 0, refunded: 0, isMore: false },
      listSubCompanies(database, company.id, { limit: subCompaniesOffered }),
    ]);
    const content = (
      <ListPage
        context={context}
        words={words}
        asked={asked}
        missing={text === "" ? undefined : text}
        page={page}
        sum={sum}
        subCompanies={subCompanies.rows}
      />
    );
    return send({ title: words.title, content, status: isReadable ? 200 : 400 });
  });

  screen(app, parts, `${collectionsPath}.csv`, look, async (context) => {
    const { company, language, query, reply } = context;
    const { search, wrong } = readSearch(query, placeOf(company));
    if (wrong.length > 0) return context.seeOther(`${collectionsPath}?${query.toString()}`);
    const isForPeople = query.get("dialect") !== "machine";
    const words = isForPeople ? collectionWords[language] : undefined;
    const names = new Map<string, string>();
    const rowsFor = { timeZone: company.timeZone, words, subCompanyNames: names };
    const rows = rowSets(walkCharges(payments, company.id, search), rowsFor, async (ids) => {
      for (const { id, name } of await findSubCompanies(database, company.id, ids))
        names.set(id, name);
    });
    const dialect = isForPeople ? "excel-fr" : "machine";
    const stream = await parts.exports.stream(company.id, async () =>
      csvWriter(headerOf(words), rows, dialect),
    );
    return sendFile(reply, "collections.csv", stream);
  });

  newLinkScreens(app, parts);
  refundScreens(app, parts);

  screen(app, parts, `${collectionsPath}/:id`, look, async (context) => {
    const { company, language, send } = context;
    const words = collectionWords[language];
    const charge = await chargeOf(context);
    const [steps, subCompanies, waiting] = await Promise.all([
      readTimeline(database, context, charge),
      charge.subCompanyId === null
        ? []
        : findSubCompanies(database, company.id, [charge.subCompanyId]),
      findWaitingRefunds(database, company.id, charge),
    ]);
    const subCompanyName = subCompanies[0]?.name;
    const content = (
      <DetailPage
        context={context}
        words={words}
        charge={charge}
        url={links.urlOf(company.id, charge.id)}
        merchantName={subCompanyName ?? company.name}
        subCompanyName={subCompanyName}
        steps={steps}
        waiting={waiting}
      />
    );
    return send({ title: words.detail(charge.externalId), content });
  });

  screen(app, parts, `${collectionsPath}/:id/print`, look, async (context) => {
    const { company, language, query, request, reply, nonce, seeOther } = context;
    const charge = await chargeOf(context);
    const words = linkWords[language];
    // A code that leads nowhere is not worth a sheet of paper.
    if (!chargeCan.pay(charge))
      return seeOther(collectionPath(charge), { kind: "bad", text: words.print.over });
    const page = (
      <PrintPage
        context={context}
        words={words}
        charge={charge}
        url={links.urlOf(company.id, charge.id)}
        size={query.get("size") === "a6" ? "a6" : "a4"}
      />
    );
    return sendPage(request, reply, { nonce, lang: language }, page);
  });

  function chargeOf({ company, params }: ScreenContext): Promise<Charge> {
    return getCharge(payments, company.id, parseUuid(params["id"] ?? ""));
  }
}

async function* rowSets(
  sets: AsyncIterable<readonly Charge[]>,
  rowsFor: RowsFor,
  learnNames: (ids: readonly string[]) => Promise<void>,
) {
  for await (const charges of sets) {
    const ids = new Set(charges.flatMap(({ subCompanyId }) => subCompanyId ?? []));
    const unknown = [...ids].filter((id) => !rowsFor.subCompanyNames.has(id));
    if (unknown.length > 0) await learnNames(unknown);
    yield charges.map((charge) => toRow(charge, rowsFor));
  }
}
