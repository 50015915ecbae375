import { getCompany } from "../../companies/find-company.ts";
import { listSubCompanies } from "../../companies/sub-companies.ts";
import type { App } from "../../http/server.ts";
import { InvalidCursor } from "../../kernel/errors.ts";
import { parsePageRequest, toPage } from "../../kernel/page.ts";
import { hemIn } from "../../pages/send-page.ts";
import { exportName, mediaTypes } from "../../statements/export/statement-exports.ts";
import { exportFormats } from "../../statements/file-signature.ts";
import { findSubCompanyId } from "../../statements/find-sub-company.ts";
import { listLines } from "../../statements/list-lines.ts";
import { summarize } from "../../statements/read-head.ts";
import type { Period } from "../../statements/statement.ts";
import type { ConsoleParts } from "../parts.ts";
import { screen } from "../screen.ts";
import { statementWords } from "../words/statements.ts";
import { readAsked } from "./read-asked.ts";
import { StatementPage, statementsPath } from "./statement-page.tsx";

/** Lines of a page. */
const linesShown = 100;
const subCompaniesOffered = 100;
/** A line's number, and where its statement is cut. */
const placeShape = /^\d{1,15}\.\d{1,15}$/;

export function statementScreens(app: App, parts: ConsoleParts): void {
  const { database, clock, exports } = parts;
  const may = { may: "statements.read" } as const;

  screen(app, parts, statementsPath, may, async (context) => {
    const { company, language, query, send } = context;
    const words = statementWords[language];
    const asked = readAsked(query, clock(), company.timeZone);
    const subCompany = query.get("subCompany") ?? "";
    const subCompanyId = await findSubCompanyId(database, company.id, subCompany || undefined);
    const { rows } = await listSubCompanies(database, company.id, { limit: subCompaniesOffered });
    const shown =
      asked.period &&
      (await readPage(company.id, asked.period, subCompanyId, query.get("cursor") ?? undefined));
    const content = (
      <StatementPage
        context={context}
        words={words}
        asked={asked}
        subCompany={subCompany}
        subCompanies={rows}
        shown={shown}
      />
    );
    return send({ title: words.title, content, status: shown === undefined ? 400 : 200 });
  });

  /** A page of the statement: it stays cut at its posting while money moves on. */
  async function readPage(
    companyId: string,
    period: Period,
    subCompanyId: string | undefined,
    cursor: string | undefined,
  ) {
    const list = {
      name: "console statement",
      companyId,
      from: period.from?.toISOString() ?? "",
      until: period.until?.toISOString() ?? "",
      subCompanyId: subCompanyId ?? "",
    };
    const page = parsePageRequest(
      list,
      { limit: linesShown, ...(cursor === undefined ? {} : { cursor }) },
      placeShape,
    );
    const [edge, cut] = page.from?.id.split(".").map(Number) ?? [];
    const summary = await summarize(database, { companyId, period, subCompanyId }, cut);
    const { after, upto } = summary;
    if (edge !== undefined && (edge <= after || edge > upto)) throw new InvalidCursor();
    const isBackwards = page.from?.direction === "newer";
    const found = await listLines(database, {
      companyId,
      subCompanyId,
      isBackwards,
      limit: page.limit + 1,
      after: isBackwards ? after : (edge ?? after),
      upto: isBackwards ? (edge ?? upto) - 1 : upto,
    });
    const placed = found.map((line) => ({ id: `${line.number}.${upto}`, line }));
    const { rows, prev, next } = toPage(list, page, placed);
    return { summary, lines: rows.map(({ line }) => line), earlier: prev, later: next };
  }

  for (const format of exportFormats)
    screen(app, parts, `${statementsPath}/export.${format}`, may, async (context) => {
      const { company, language, query, reply } = context;
      const { from, to, period } = readAsked(query, clock(), company.timeZone);
      if (period === undefined) return context.seeOther(`${statementsPath}?${query.toString()}`);
      const asked = {
        from: from || undefined,
        to: to || undefined,
        subCompanyId: query.get("subCompany") || undefined,
      };
      const choice = { format, dialect: "excel-fr", language } as const;
      const stream = await exports.open(await getCompany(database, company.id), asked, choice);
      return hemIn(reply)
        .type(mediaTypes[format])
        .header("content-disposition", `attachment; filename="${exportName(asked, format)}"`)
        .send(stream);
    });
}
