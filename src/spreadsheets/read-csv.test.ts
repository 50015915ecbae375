import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { rowsOf } from "../../test/workbooks.ts";
import { readTable } from "./read-table.ts";

const rows = [
  { line: 1, cells: ["telephone", "montant", "motif"] },
  { line: 2, cells: ["221771234567", "25 000", "Prêt, été"] },
];

test.for([",", ";", "\t"])("the separator %j is found by itself", async (separator) => {
  const text = `telephone${separator}montant${separator}motif\n221771234567${separator}25 000${separator}"Prêt, été"\n`;

  expect(await rowsOf(text)).toEqual(rows);
});

test("a separator inside quotes is not counted", async () => {
  expect(await rowsOf('"a,b,c,d";x\n')).toEqual([{ line: 1, cells: ["a,b,c,d", "x"] }]);
});

test("the separator that Excel names in a first line of its own is taken, and the line is not a row", async () => {
  expect(await rowsOf("sep=;\r\na,b;c\r\n")).toEqual([{ line: 2, cells: ["a,b", "c"] }]);
});

const text = 'telephone;montant;motif\r\n221771234567;25 000;"Prêt, été"\r\n';

test.for([
  ["UTF-8", Buffer.from(text)],
  ["UTF-8 with a mark", Buffer.from(`\ufeff${text}`)],
  ["Windows-1252", Buffer.from(text, "latin1")],
  ["UTF-16", Buffer.from(`\ufeff${text}`, "utf16le")],
] as const)("%s is read", async ([, bytes]) => {
  expect(await rowsOf(bytes)).toEqual(rows);
});

test("a character that two pieces share is read whole", async () => {
  const bytes = Buffer.from("a;é\n€;b\n");
  async function* oneByOne() {
    for (const byte of bytes) yield Buffer.from([byte]);
  }

  expect(await Readable.from(readTable(oneByOne(), "file")).toArray()).toEqual([
    { line: 1, cells: ["a", "é"] },
    { line: 2, cells: ["€", "b"] },
  ]);
});

test("text that begins as UTF-8 and goes on otherwise is refused, not garbled", async () => {
  const bytes = Buffer.concat([Buffer.from(`é${"x".repeat(70_000)}\n`), Buffer.from([0xe9, 0x0a])]);

  await expect(rowsOf(bytes)).rejects.toMatchObject({ code: "unreadable_file" });
});

test.for(["\n", "\r\n", "\r"])(
  "line numbers count quoted lines and empty ones, with line ends %j",
  async (end) => {
    const lines = ["a,b", "", `"one${end}two",x`, ",", "c,d"];

    expect(await rowsOf(lines.join(end))).toEqual([
      { line: 1, cells: ["a", "b"] },
      { line: 3, cells: [`one${end}two`, "x"] },
      { line: 6, cells: ["c", "d"] },
    ]);
  },
);

test("an apostrophe that guards against formulas is taken off again", async () => {
  expect(await rowsOf("'=1+1,'+221771234567,'tis,'00123\n")).toEqual([
    { line: 1, cells: ["=1+1", "+221771234567", "'tis", "00123"] },
  ]);
});

test("an empty file has no rows", async () => {
  expect(await rowsOf("")).toEqual([]);
});

test.for([
  ["a quote that is never closed", 'a,b\n"c,d\n', /quotes of line 2/],
  ["a quote in the middle of a cell", 'a,b\nc"d"e,f\n', /quotes of line 2/],
  ["too many rows", "a\n".repeat(11), /more than 10 rows/],
  ["too many columns", `a\n${",".repeat(20)}x\n`, /line 2 has more than 16 columns/],
  ["a cell that is too long", `a\n${"x".repeat(101)}\n`, /line 2 is longer than 100/],
  ["a quoted cell without an end", `a\n"${"x\n".repeat(5_000)}`, /line 2 is longer than 100/],
  ["zeros", "a\0b\n", /neither CSV nor .xlsx/],
] as const)("refused: %s", async ([, content, message]) => {
  const limits = { rowsMax: 10, columnsMax: 16, cellCharsMax: 100 };

  await expect(rowsOf(content, limits)).rejects.toThrow(message);
});

test("a reader that stops early ends the reading of the file", async () => {
  let isEnded = false;
  async function* endless() {
    try {
      while (true) yield Buffer.from("a,b\n".repeat(1_000));
    } finally {
      isEnded = true;
    }
  }
  for await (const { line } of readTable(endless(), "file")) if (line === 5_000) break;

  expect(isEnded).toBe(true);
});
