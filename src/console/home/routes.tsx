import type { App } from "../../http/server.ts";
import { hemIn } from "../../pages/send-page.ts";
import { csvHeader, csvLine } from "../../spreadsheets/write-csv.ts";
import { StatementNotReady } from "../../statements/errors.ts";
import type { ConsoleParts } from "../parts.ts";
import { screen } from "../screen.ts";
import { homeWords } from "../words/home.ts";
import { chartNames, toChart } from "./charts.ts";
import { HomePage } from "./home-page.tsx";
import { type PeriodDays, periods, readFigures, readHome } from "./read-home.ts";

/** The first page, and its charts as files. */
export function homeScreens(app: App, parts: ConsoleParts): void {
  const { database, clock } = parts;

  screen(app, parts, "/console", { may: "anyone" }, async (context) => {
    const { company, language, query, may, seeOther, send } = context;
    if (!may("balance.read")) return seeOther("/console/transfers");
    const words = homeWords[language];
    const period = readPeriodDays(query);
    const now = clock();
    const home = await readHome(
      database,
      now,
      { companyId: company.id, timeZone: company.timeZone },
      period,
    );
    const content = (
      <HomePage context={context} words={words} home={home} now={now} period={period} />
    );
    return send({ title: words.title, content });
  });

  for (const name of chartNames)
    screen(
      app,
      parts,
      `/console/charts/${name}.csv`,
      { may: "balance.read" },
      async ({ company, language, words: frame, query, reply }) => {
        const period = readPeriodDays(query);
        const books = { companyId: company.id, timeZone: company.timeZone };
        const days = await readFigures(database, clock(), books, period);
        if (days === null) throw new StatementNotReady();
        const chart = toChart(name, days, { frame, words: homeWords[language] });
        const lines = days.map(({ day }, place) =>
          csvLine(
            [
              { text: day },
              ...(chart.values[place] ?? []).map((value) =>
                value === undefined ? { text: "" } : { amount: value },
              ),
            ],
            "machine",
          ),
        );
        return hemIn(reply)
          .type("text/csv; charset=utf-8")
          .header("content-disposition", `attachment; filename="${name}-${period}.csv"`)
          .send(csvHeader(chart.header, "machine") + lines.join(""));
      },
    );
}

function readPeriodDays(query: URLSearchParams): PeriodDays {
  const asked = Number(query.get("days"));
  return periods.find((count) => count === asked) ?? 30;
}
