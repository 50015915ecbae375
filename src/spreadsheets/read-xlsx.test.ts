import { expect, test } from "vitest";
import { rowsOf, workbookOf, zipOf } from "../../test/workbooks.ts";

test("each kind of cell is read as the text a person sees", async () => {
  const book = await workbookOf(`
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>in</t><r><t>line</t></r><rPh><t>no</t></rPh></is></c></row>
    <row r="3"><c r="A3"><v>2.21771234567E11</v></c><c r="B3"><v>0.30000000000000004</v></c><c r="D3" t="str"><f>A1</f><v>made &amp; found</v></c></row>
    <row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c s="1"><v>46341</v></c><c s="1"><v>46341.899375</v></c></row>`);

  expect(await rowsOf(book)).toEqual([
    { line: 1, cells: ["shared", "inline"] },
    { line: 3, cells: ["221771234567", "0.3", "", "made & found"] },
    { line: 4, cells: ["TRUE", "#N/A", "2026-11-15", "2026-11-15 21:35:06"] },
  ]);
});

test("a format with letters that are only shown does not make a date", async () => {
  const styles = (code: string) => ({
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>`,
  });
  const cell = '<row r="1"><c r="A1"><v>46341</v></c></row>';

  const francs = await workbookOf(cell, styles("#,##0\\ &quot;shillings&quot;[Red]_d"));
  const days = await workbookOf(cell, styles("dd/mm/yyyy"));

  expect((await rowsOf(francs))[0]?.cells).toEqual(["46341"]);
  expect((await rowsOf(days))[0]?.cells).toEqual(["2026-11-15"]);
});

test("the first sheet that is not hidden is read", async () => {
  const book = await workbookOf('<row r="1"><c r="A1"><v>7</v></c></row>', {
    "xl/workbook.xml":
      '<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet state="hidden" r:id="rId9"/><x:sheet r:id="rId1"/></x:sheets></x:workbook>',
  });

  expect(await rowsOf(book)).toEqual([{ line: 1, cells: ["7"] }]);
});

const doctype =
  '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>';
const sheet = (content: string) => ({ "xl/worksheets/sheet1.xml": content });

test.for<[string, () => Promise<Buffer>, RegExp]>([
  ["entities", () => workbookOf("", sheet(doctype)), /damaged/],
  ["an unknown entity", () => workbookOf("<row><c t='str'><v>&b;</v></c></row>"), /damaged/],
  ["broken XML", () => workbookOf("<row><c></row>"), /damaged/],
  ["XML that ends too early", () => workbookOf("", sheet("<worksheet><sheetData>")), /damaged/],
  ["bytes that are not UTF-8", () => zipOf({ "_rels/.rels": Buffer.from([0xff]) }), /damaged/],
  ["no workbook", () => zipOf({ "a.txt": "a" }), /_rels\/.rels is missing/],
  ["no sheet", () => workbookOf("", { "xl/workbook.xml": "<workbook/>" }), /no sheet/],
  ["an unknown shared text", () => workbookOf("<row><c t='s'><v>1</v></c></row>"), /shared text 1/],
  ["a cell outside of rows", () => workbookOf("<row/><c><v>1</v></c>"), /outside of rows/],
  ["rows backwards", () => workbookOf("<row r='2'/><row r='1'/>"), /row 1/],
  ["a place that is none", () => workbookOf("<row><c r='7'/></row>"), /cell 7/],
  ["a million columns", () => workbookOf("<row><c r='BDWGN1'/></row>"), /cell BDWGN1/],
  ["too many columns", () => workbookOf(`<row>${"<c/>".repeat(300)}</row>`), /256 columns/],
  ["too many rows", () => workbookOf("<row><c><v>1</v></c></row>".repeat(101)), /100 rows/],
  ["a long cell", () => workbookOf(`<row><c><v>${"1".repeat(40_000)}</v></c></row>`), /32767/],
  ["deep nesting", () => workbookOf("<a>".repeat(200)), /damaged/],
  [
    "many attributes",
    () => workbookOf(`<a ${Array.from({ length: 300 }, (_, n) => `a${n}="1"`).join(" ")}/>`),
    /damaged/,
  ],
  [
    "long shared texts",
    () =>
      workbookOf("", { "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(6_000)}</t></si></sst>` }),
    /5000 characters/,
  ],
  [
    "many empty shared texts",
    () => workbookOf("", { "xl/sharedStrings.xml": `<sst>${"<si/>".repeat(6_000)}</sst>` }),
    /5000 characters/,
  ],
  ["what unpacks to too much", () => workbookOf(" ".repeat(1_100_000)), /unpacks to more/],
  [
    "a file that is too large",
    async () => Buffer.concat([await zipOf({ a: "a" }), noise]),
    /larger than/,
  ],
  ["half a file", async () => (await workbookOf("<row/>")).subarray(0, 500), /damaged/],
  ["an old workbook", async () => Buffer.from("d0cf11e0a1b11ae1", "hex"), /\.xls/],
])("refused: %s", async ([, make, message]) => {
  const limits = {
    fileBytesMax: 200_000,
    unpackedBytesMax: 1_000_000,
    sharedCharsMax: 5_000,
    rowsMax: 100,
  };

  const reading = rowsOf(await make(), limits);

  await expect(reading).rejects.toMatchObject({ code: "unreadable_file" });
  await expect(reading).rejects.toThrow(message);
});

const noise = Buffer.alloc(300_000);

test("a part that unpacks to more than it says is refused", async () => {
  const book = await workbookOf(`<row><c><v>1</v></c></row>${" ".repeat(500_000)}`);
  // The sizes of parts stand in the archive's directory, at its end.
  const directory = book.indexOf(Buffer.from("PK\u0001\u0002"));
  for (let at = directory; at !== -1; at = book.indexOf(Buffer.from("PK\u0001\u0002"), at + 1))
    if (book.readUInt32LE(at + 24) > 500_000) book.writeUInt32LE(100, at + 24);

  await expect(rowsOf(book)).rejects.toThrow(/damaged/);
});

test("any byte of a workbook may be wrong: it is read or refused, never worse", async () => {
  const book = await workbookOf('<row r="1"><c r="A1" t="s"><v>0</v></c></row>');
  for (let at = 0; at < book.length; at += 1) {
    const spoilt = Buffer.from(book);
    spoilt[at] = (spoilt[at] ?? 0) ^ 0xff;
    await rowsOf(spoilt).catch((error: unknown) =>
      expect(error, `byte ${at}`).toMatchObject({ code: "unreadable_file" }),
    );
  }
});
