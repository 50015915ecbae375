import { findHold } from "../../approvals/find-held.ts";
import { findProposalOf } from "../../approvals/find-proposals.ts";
import { findSubCompanies } from "../../companies/find-company.ts";
import { listSubCompanies } from "../../companies/sub-companies.ts";
import type { App } from "../../http/server.ts";
import { findCountry } from "../../kernel/countries.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import { parsePageRequest, toPage } from "../../kernel/page.ts";
import { readSoughtPhone } from "../../kernel/read-phone.ts";
import { csvWriter } from "../../spreadsheets/write-csv.ts";
import { emailsOf } from "../../staff/people.ts";
import { getTransfer } from "../../transfers/find-transfers.ts";
import { lookUpTransfers } from "../../transfers/look-up.ts";
import { searchTransfers, sumTransfers, walkTransfers } from "../../transfers/search-transfers.ts";
import { createdAtOf, type Transfer } from "../../transfers/transfer.ts";
import { findHistory } from "../../webhooks/find-history.ts";
import type { ConsoleCompany } from "../context.ts";
import { readPageSize, readSearchText } from "../list-query.ts";
import type { ConsoleParts } from "../parts.ts";
import { screen } from "../screen.ts";
import { sendFile } from "../send-file.ts";
import { transferWords } from "../words/transfers.ts";
import { DetailPage } from "./detail-page.tsx";
import { ListPage } from "./list-page.tsx";
import { newTransferScreens } from "./new-routes.tsx";
import { transferPath, transfersPath } from "./paths.ts";
import { readSearch } from "./read-search.ts";
import { toTimeline } from "./timeline.ts";
import { headerOf, type RowsFor, toRow } from "./transfer-rows.ts";

/** Sub-companies that a filter offers; others are found by the address of their page. */
const subCompaniesOffered = 100;

export function transferScreens(app: App, parts: ConsoleParts): void {
  const { database, settings } = parts;
  const placeOf = ({ country, timeZone }: ConsoleCompany) => ({
    country: findCountry(country) ?? settings.country,
    timeZone,
  });

  screen(app, parts, transfersPath, { may: "transfers.read" }, async (context) => {
    const { company, language, query, send, seeOther } = context;
    const words = transferWords[language];
    const text = readSearchText(query.get("q"));
    if (text !== "") {
      const found = await lookUpTransfers(database, [company.id], text);
      const [one] = found;
      if (one !== undefined && found.length === 1) return seeOther(transferPath(one));
      const phone = readSoughtPhone(text, placeOf(company).country);
      if (one === undefined && phone !== undefined)
        return seeOther(`${transfersPath}?phone=${phone}`);
    }
    const asked = readSearch(query, placeOf(company));
    const limit = readPageSize(query);
    const cursor = query.get("cursor");
    const list = { name: "transactions", companyId: company.id };
    const request = parsePageRequest(list, { limit, ...(cursor === null ? {} : { cursor }) });
    const isReadable = asked.wrong.length === 0;
    const [page, sum, subCompanies] = await Promise.all([
      isReadable
        ? searchTransfers(database, company.id, asked.search, request)
        : { ...toPage<Transfer>(list, { limit }, []), looked: null },
      isReadable
        ? sumTransfers(database, company.id, asked.search)
        : { count: 0, amount: 0, fee: 0, isMore: false },
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

  screen(app, parts, `${transfersPath}.csv`, { may: "transfers.read" }, async (context) => {
    const { company, language, query, reply } = context;
    const { search, wrong } = readSearch(query, placeOf(company));
    if (wrong.length > 0) return context.seeOther(`${transfersPath}?${query.toString()}`);
    const isForPeople = query.get("dialect") !== "machine";
    const words = isForPeople ? transferWords[language] : undefined;
    const names = new Map<string, string>();
    const rowsFor = { timeZone: company.timeZone, words, subCompanyNames: names };
    const rows = rowSets(walkTransfers(database, company.id, search), rowsFor, async (ids) => {
      for (const { id, name } of await findSubCompanies(database, company.id, ids))
        names.set(id, name);
    });
    const dialect = isForPeople ? "excel-fr" : "machine";
    const stream = await parts.exports.stream(company.id, async () =>
      csvWriter(headerOf(words), rows, dialect),
    );
    return sendFile(reply, "transfers.csv", stream);
  });

  newTransferScreens(app, parts);

  screen(app, parts, `${transfersPath}/:id`, { may: "transfers.read" }, async (context) => {
    const { company, language, params, send } = context;
    const words = transferWords[language];
    const id = parsePublicId("txn", params["id"] ?? "");
    const transfer = await getTransfer(database, company.id, id);
    const moments = [
      createdAtOf(transfer),
      ...(transfer.endedAt === null ? [] : [transfer.endedAt]),
    ];
    const [proposal, hold, history, subCompanies] = await Promise.all([
      findProposalOf(database, company.id, transfer.batchId ?? transfer.id),
      findHold(database, company.id, transfer.id),
      findHistory(database, company.id, transfer.id, moments),
      transfer.subCompanyId === null
        ? []
        : findSubCompanies(database, company.id, [transfer.subCompanyId]),
    ]);
    const people = [
      proposal?.madeBy,
      proposal?.decision?.decidedBy,
      hold?.decision?.decidedBy,
    ].filter((one) => one !== undefined);
    const emails = await emailsOf(database, people);
    const { timeZone } = company;
    const frame = context.words;
    const steps = toTimeline({
      transfer,
      proposal,
      hold,
      history,
      emails,
      words,
      frame,
      timeZone,
    });
    const content = (
      <DetailPage
        context={context}
        words={words}
        transfer={transfer}
        hold={hold}
        subCompanyName={subCompanies[0]?.name}
        steps={steps}
      />
    );
    return send({ title: words.detail(transfer.reference), content });
  });
}

async function* rowSets(
  sets: AsyncIterable<readonly Transfer[]>,
  rowsFor: RowsFor,
  learnNames: (ids: readonly string[]) => Promise<void>,
) {
  for await (const transfers of sets) {
    const ids = new Set(transfers.flatMap(({ subCompanyId }) => subCompanyId ?? []));
    const unknown = [...ids].filter((id) => !rowsFor.subCompanyNames.has(id));
    if (unknown.length > 0) await learnNames(unknown);
    yield transfers.map((transfer) => toRow(transfer, rowsFor));
  }
}
