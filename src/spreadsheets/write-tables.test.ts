import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { readSheet } from "read-excel-file/node";
import { expect, test } from "vitest";
import { rowsOf } from "../../test/workbooks.ts";
import { type Row, toWallClock } from "./cell.ts";
import { type Guard, guarded, unguarded } from "./formula-guard.ts";
import { openZip } from "./open-zip.ts";
import { workbookParts } from "./workbook-parts.ts";
import { type CsvDialect, csvDialects, csvWriter } from "./write-csv.ts";
import { xlsxWriter } from "./write-xlsx.ts";

const header = ["phone", "amount", "date"];
const facts = { sheetName: "Virements", header, widths: [18, 12, 20] };
const row: Row = [{ text: "221771234567" }, { amount: -25_000 }, { moment: "2026-11-15 21:35:06" }];

const csvOf = (rows: readonly Row[], dialect: CsvDialect) =>
  buffer(csvWriter(header, Readable.from([rows]), dialect));
const xlsxOf = (rows: readonly Row[]) => buffer(xlsxWriter(facts, Readable.from([rows])));

test("for programs: commas, numbers as digits, phone numbers as they are", async () => {
  expect((await csvOf([row], "machine")).toString()).toBe(
    "phone,amount,date\r\n221771234567,-25000,2026-11-15 21:35:06\r\n",
  );
});

test("for Excel in French: a mark, semicolons, and phone numbers that it leaves alone", async () => {
  expect((await csvOf([row], "excel-fr")).toString()).toBe(
    "\ufeffphone;amount;date\r\n'221771234567;-25000;2026-11-15 21:35:06\r\n",
  );
});

test.for(["=1+1", "+221", "-1", "@x", "\t=1", "\r=1", "'=1", "＝1"])(
  "a text that begins as a formula does is guarded: %j",
  async (text) => {
    for (const dialect of csvDialects) {
      const [, line = ""] = (await csvOf([[{ text }]], dialect)).toString().split(/\r\n(?=["'])/);
      expect(line.replace(/^"/, "").startsWith("'"), line).toBe(true);
    }
  },
);

test("a guard is taken off exactly where it was put on", () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^'*[=+\-@\t\r0-9a][-+0-9.,eE]*$/));
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom<Guard[]>("formulas", "formulas-and-numbers"),
      (text, guard) => {
        expect(unguarded(guarded(text, guard))).toBe(text);
      },
    ),
  );
});

test("whatever texts are written, the reader has them back", async () => {
  const text = fc
    .string({ unit: "binary", maxLength: 30 })
    .filter((one) => one.trim() !== "" && !one.includes("\0"));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      const rows = [texts.map((one) => ({ text: one }))];
      const [, fromSheet] = await rowsOf(await xlsxOf(rows));
      expect(fromSheet?.cells).toEqual(texts);
      const [, fromCsv] = await rowsOf(await csvOf(rows, "excel-fr"));
      expect(fromCsv?.cells).toEqual(texts.map((one) => Buffer.from(one).toString()));
    }),
    { numRuns: 200 },
  );
});

test("another library reads the workbook: text as text, numbers as numbers, dates as dates", async () => {
  const rows = await readSheet(await xlsxOf([row, [{ text: "=1+1" }]]));

  expect(rows).toEqual([
    header,
    ["221771234567", -25_000, new Date("2026-11-15T21:35:06Z")],
    ["=1+1", null, null],
  ]);
});

test("what does not fit on a sheet goes on the next, under the header again", async () => {
  const rows = Array.from({ length: 7 }, (_, n): Row => [{ amount: n }]);
  const parts = workbookParts(facts, Readable.from([rows.slice(0, 5), rows.slice(5)]), 4);
  const sheets: string[] = [];
  for await (const { name, pieces } of parts) {
    const content = (await buffer(pieces)).toString();
    if (name.startsWith("xl/worksheets/")) sheets.push(content);
  }

  expect(sheets.map((sheet) => sheet.match(/<v>\d<\/v>/g)?.join(""))).toEqual([
    "<v>0</v><v>1</v><v>2</v>",
    "<v>3</v><v>4</v><v>5</v>",
    "<v>6</v>",
  ]);
  expect(sheets.every((sheet) => sheet.includes("phone"))).toBe(true);
});

test("no rows make a workbook with a header", async () => {
  expect(await rowsOf(await xlsxOf([]))).toEqual([{ line: 1, cells: header }]);
});

test("a reader that stops early, and rows that fail, end the reading of rows", async () => {
  let ended = 0;
  async function* rows(failAt: number) {
    try {
      for (let n = 0; ; n += 1) {
        if (n === failAt) throw new Error("no more");
        yield Array.from({ length: 1_000 }, () => row);
      }
    } finally {
      ended += 1;
    }
  }
  let bytes = 0;
  for await (const chunk of xlsxWriter(facts, rows(Number.POSITIVE_INFINITY))) {
    bytes += chunk.length;
    if (bytes > 100_000) break;
  }
  await expect(buffer(xlsxWriter(facts, rows(3)))).rejects.toThrow("no more");

  expect(ended).toBe(2);
});

test("a workbook is an archive that says its sizes", async () => {
  const zip = await openZip(await xlsxOf([row]), 100_000);

  expect(zip.names).toEqual([
    "_rels/.rels",
    "xl/worksheets/sheet1.xml",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "[Content_Types].xml",
  ]);
});

test("the clock on the wall is that of the place", () => {
  const at = new Date("2026-06-30T23:30:05.999Z");

  expect(toWallClock(at, "Africa/Dakar")).toBe("2026-06-30 23:30:05");
  expect(toWallClock(at, "Africa/Douala")).toBe("2026-07-01 00:30:05");
});
