import { Readable } from "node:stream";
import { Type } from "typebox";
import type { Company } from "../../companies/company.ts";
import type { Database } from "../../database/database.ts";
import { Places } from "../../http/places.ts";
import { responses, security } from "../../http/schemas.ts";
import type { App } from "../../http/server.ts";
import type { Country } from "../../kernel/countries.ts";
import { type Language, preferredLanguage } from "../../kernel/language.ts";
import { type CsvDialect, csvDialects } from "../../spreadsheets/write-csv.ts";
import { ExportsTooMany } from "../errors.ts";
import { StatementQuerySchema } from "../schemas.ts";
import type { LedgerKey } from "../seal.ts";
import { type ExportRequest, openStatement } from "./export-statement.ts";
import { type ExportFormat, exportFormats, writeExport } from "./write-export.ts";

const placesMax = {
  /** A person downloads one file, or one of each kind by and by. */
  perHolderMax: 2,
  /** Each holds some ten thousand rows at most; more than these would crowd out what the service is for. */
  perNodeMax: 8,
};
/** A caller that takes nothing for so long is given up: it would keep its place for ever. */
const patienceMs = 60_000;

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pdf: "application/pdf",
};

const operationIds: Readonly<Record<ExportFormat, string>> = {
  csv: "exportStatementAsCsv",
  xlsx: "exportStatementAsXlsx",
  pdf: "exportStatementAsPdf",
};

const { from, to, subCompanyId } = StatementQuerySchema.properties;
const lang = Type.Optional(
  Type.String({
    enum: ["fr", "en"],
    description: "Of headings and pages; when absent, that of Accept-Language, else French.",
  }),
);
const dialect = Type.Optional(
  Type.String({
    enum: [...csvDialects],
    description:
      "machine has commas; excel-fr has semicolons, a mark that it is UTF-8, and headings for people.",
  }),
);
const ExportQuery = Type.Object({ from, to, subCompanyId, lang });
const CsvExportQuery = Type.Object({ from, to, subCompanyId, dialect, lang });

interface Asked extends ExportRequest {
  readonly dialect?: CsvDialect;
  readonly lang?: Language;
}

export interface ExportRoutesOptions {
  readonly database: Database;
  readonly country: Country;
  readonly key: LedgerKey;
}

export async function exportRoutes(app: App, options: ExportRoutesOptions): Promise<void> {
  const places = new Places({ ...placesMax, refuse: (max) => new ExportsTooMany(max) });
  for (const format of exportFormats) {
    app.get(
      `/v1/statement.${format}`,
      {
        schema: {
          operationId: operationIds[format],
          summary: `The statement as ${format.toUpperCase()}, signed`,
          description:
            "All lines of the period, written as they are read. Whoever has the file can verify it without a connection: cauri verify.",
          tags: ["Statements"],
          security,
          querystring: format === "csv" ? CsvExportQuery : ExportQuery,
          response: responses(
            {
              200: {
                description: "The file.",
                content: { [mediaTypes[format]]: { schema: Type.String() } },
              },
            },
            [400, 404],
          ),
        },
      },
      async ({ company, query, headers }, reply) => {
        const giveBack = places.take(company.id);
        const stream = await openExport(company, query as Asked, headers["accept-language"]).catch(
          (error: unknown) => {
            giveBack();
            throw error;
          },
        );
        stream.once("close", giveBack);
        return reply
          .type(mediaTypes[format])
          .header("content-disposition", `attachment; filename="${fileName(query, format)}"`)
          .send(stream);
      },
    );

    async function openExport(company: Company, asked: Asked, accepted: string | undefined) {
      const { statement, exporter } = await openStatement(options, company, asked);
      const language = asked.lang ?? preferredLanguage(accepted) ?? "fr";
      const choice = { format, dialect: asked.dialect ?? "machine", language } as const;
      return patientStream(writeExport(statement, exporter, choice));
    }
  }
}

function fileName(asked: ExportRequest, format: ExportFormat): string {
  const days = [asked.from, asked.to].flatMap((text) => text?.slice(0, 10) ?? []);
  return `${["statement", ...days].join("-")}.${format}`;
}

/** A stream that ends itself when nobody has asked for more for a while. */
function patientStream(pieces: AsyncIterable<Buffer>): Readable {
  const timer = setTimeout(
    () => stream.destroy(new Error(`nothing was taken for ${patienceMs} ms`)),
    patienceMs,
  );
  async function* asked(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      timer.refresh();
      yield piece;
    }
  }
  const stream = Readable.from(asked(), { highWaterMark: 1 });
  stream.once("close", () => clearTimeout(timer));
  return stream;
}
