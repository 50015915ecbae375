import { Type } from "typebox";
import { responses, security } from "../../http/schemas.ts";
import type { App } from "../../http/server.ts";
import { type Language, preferredLanguage } from "../../kernel/language.ts";
import { type CsvDialect, csvDialects } from "../../spreadsheets/write-csv.ts";
import { type ExportFormat, exportFormats } from "../file-signature.ts";
import { StatementQuerySchema } from "../schemas.ts";
import type { ExportRequest } from "./export-statement.ts";
import { exportName, mediaTypes, type StatementExports } from "./statement-exports.ts";

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

export async function exportRoutes(app: App, exports: StatementExports): Promise<void> {
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
        const asked = query as Asked;
        const language = asked.lang ?? preferredLanguage(headers["accept-language"]) ?? "fr";
        const choice = { format, dialect: asked.dialect ?? "machine", language } as const;
        const stream = await exports.open(company, asked, choice);
        return reply
          .type(mediaTypes[format])
          .header("content-disposition", `attachment; filename="${exportName(asked, format)}"`)
          .send(stream);
      },
    );
  }
}
