import { buffer } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import { readSheet } from "read-excel-file/node";
import { expect, test } from "vitest";
import { readPdf } from "../../../test/read-pdf.ts";
import { exporter, statementOf } from "../../../test/statement-of.ts";
import type { Language } from "../../kernel/language.ts";
import { type ExportChoice, writeExport } from "./write-export.ts";

const count = 130;
const lines: number[][] = [];
for await (const set of statementOf(count).lines)
  for (const { amount, fee, balanceAfter } of set) lines.push([amount, fee, balanceAfter]);

function exported(choice: Partial<ExportChoice>): Promise<Buffer> {
  const full = { format: "csv", dialect: "machine", language: "fr", ...choice } as const;
  return buffer(writeExport(statementOf(count), exporter, full));
}

test("CSV for programs, read by another library, has the numbers of the statement", async () => {
  const rows = parse(await exported({}), { columns: true }) as Record<string, string>[];

  const found = rows.filter(({ kind }) => kind === "transfer");
  expect(found.map((row) => [row["amount"], row["fee"], row["balanceAfter"]].map(Number))).toEqual(
    lines,
  );
  expect(rows.at(0)).toMatchObject({ kind: "opening", balanceAfter: "10000000", amount: "" });
  expect(rows.at(-2)).toMatchObject({ kind: "closing", balanceAfter: String(lines.at(-1)?.[2]) });
  expect(rows.at(-1)).toMatchObject({ kind: "signature" });
});

test("CSV for Excel in French has a mark, semicolons and French headings, and guards", async () => {
  const text = (await exported({ dialect: "excel-fr" })).toString();
  const rows = parse(text.slice(1), { columns: true, delimiter: ";" }) as Record<string, string>[];

  expect(text.startsWith("\ufeffNuméro;")).toBe(true);
  const found = rows.filter((row) => row["Nature"] === "Virement");
  expect(found.map((row) => [row["Montant"], row["Dont frais"], row["Solde"]].map(Number))).toEqual(
    lines,
  );
  expect(found[0]).toMatchObject({ Téléphone: "'221770000000", Référence: "'=1+1 0" });
});

test("XLSX, read by another library, has the numbers as numbers, dates as dates, phones as text", async () => {
  const [header, ...rows] = await readSheet(await exported({ format: "xlsx", language: "en" }));
  const at = (name: string) => header?.indexOf(name) ?? -1;

  const found = rows.filter((row) => row[at("Kind")] === "Transfer");
  expect(
    found.map((row) => [row[at("Amount")], row[at("Of which fee")], row[at("Balance")]]),
  ).toEqual(lines);
  expect(found[0]?.[at("Phone")]).toBe("221770000000");
  // That library rounds down where a sheet's number for a moment is a hair below it.
  const date = new Date(String(found[1]?.[at("Date")]));
  expect(Math.abs(date.getTime() - Date.UTC(2026, 0, 1, 0, 1, 1))).toBeLessThanOrEqual(1_000);
  expect(found[0]?.[at("Reference")]).toBe("=1+1 0");
});

test.for<Language>(["fr", "en"])(
  "PDF in %s, read by another library, has the numbers on its pages and the table attached",
  async (language) => {
    const { document, pages: text } = await readPdf(await exported({ format: "pdf", language }));
    const totalPages = text.length;
    const words = text.join("\n");

    const numbers = [
      ...words.matchAll(/\+22177\d{7}\s(-\d+)\s(\d+)\s([\d\s,]+?\d{3}[\s,]\d{3})(?!\d)/g),
    ];
    expect(
      numbers.map(([, ...cells]) => cells.map((cell) => Number(cell.replaceAll(/[\s,]/g, "")))),
    ).toEqual(lines);
    text.forEach((page, index) =>
      expect(page).toContain(
        language === "fr"
          ? `Page ${index + 1} sur ${totalPages}`
          : `Page ${index + 1} of ${totalPages}`,
      ),
    );
    expect(words).toContain(language === "fr" ? "Solde de clôture" : "Closing balance");
    expect(words).toMatch(/: ([0-9A-F]{5}-){3}[0-9A-F]{5}/);
    const attached: Record<string, { readonly content: Uint8Array }> =
      await document.getAttachments();
    const table = Object.values(attached).map(({ content }) => content);
    const csv = (await exported({})).toString();
    const withoutSignature = csv.slice(0, csv.lastIndexOf("\r\n", csv.length - 3) + 2);
    expect(Buffer.concat(table).toString()).toBe(withoutSignature);
  },
);
