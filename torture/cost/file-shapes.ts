import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { storedZip } from "./stored-zip.ts";

/** A file of a kind, so large as is asked for: a CSV itself, a workbook when it is unpacked. */
export interface FileShape {
  readonly name: string;
  readonly fileName: string;
  readonly make: (length: number) => Promise<Buffer>;
}

const head = "telephone;montant;reference;motif\n";

function csv(name: string, make: (length: number) => string): FileShape {
  return {
    name: `CSV: ${name}`,
    fileName: "juin.csv",
    make: async (length) => Buffer.from(make(length)),
  };
}

function repeat(text: string, length: number): string {
  return text.repeat(Math.max(1, Math.floor(length / text.length)));
}

export const csvShapes: readonly FileShape[] = [
  csv("quotes", (length) => head + repeat('"', length)),
  csv("a quote that is not closed", (length) => `${head}"${repeat("a", length)}`),
  csv("quotes that open and close", (length) => head + repeat('"a"', length)),
  csv("quotes in the first line", (length) => repeat('"";', length)),
  csv("a quote open in the first line", (length) => `"${repeat('""', length)}`),
  csv("separators", (length) => head + repeat(";", length)),
  csv("empty lines", (length) => head + repeat("\n", length)),
  csv("lines of spaces", (length) => head + repeat(" \n", length)),
  csv("line ends of each kind", (length) => head + repeat("\r\n\r\n\n\r", length)),
  csv("one long cell", (length) => `${head}${repeat("a", length)};1\n`),
  csv("long cells", (length) => head + repeat(`${"7".repeat(30_000)};5000;r;m\n`, length)),
  csv(
    "zeros in amounts",
    (length) => head + repeat(`771000000;5000.${"0".repeat(30_000)}1;r;m\n`, length),
  ),
  csv(
    "spaces in amounts",
    (length) => head + repeat(`771000000;5${" ".repeat(30_000)}x;r;m\n`, length),
  ),
  csv(
    "separators in amounts",
    (length) => head + repeat(`771000000;${"1.".repeat(15_000)};r;m\n`, length),
  ),
  csv("formulas", (length) => head + repeat("'''''''''=1;=1;=1;=1\n", length)),
  csv(
    "many columns",
    (length) =>
      `${repeat("a;", Math.min(length, 500))}\n${repeat(`${"1;".repeat(250)}\n`, length)}`,
  ),
  csv("headings alike", (length) => repeat("montant;", length)),
  csv("wide letters", (length) => head + repeat("é\u0301;\ud83d\ude00\n", length)),
  csv("nulls", (length) => head + repeat("\0;", length)),
  csv(
    "good rows",
    (length) =>
      head +
      Array.from(
        { length: Math.ceil(length / 40) },
        (_, row) => `77 ${1_000_000 + row};5000;cost-${row};Salaire\n`,
      ).join(""),
  ),
];

const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

type Parts = Readonly<Record<string, string>>;

/** A workbook as small as one can be, with some of its parts replaced. */
async function workbookOf(parts: Parts): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(withParts(parts)))
    zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

function withParts(parts: Parts): Parts {
  return {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": `<Relationships><Relationship Id="a" Type="${relations}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns:r="${relations}"><sheets><sheet name="x" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    "xl/sharedStrings.xml": "<sst><si><t>telephone</t></si><si><t>montant</t></si></sst>",
    "xl/styles.xml": '<styleSheet><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml": sheetOf(row),
    ...parts,
  };
}

const row = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>';

function sheetOf(rows: string): string {
  return `<worksheet><sheetData>${row}${rows}</sheetData></worksheet>`;
}

function workbook(name: string, make: (length: number) => Parts): FileShape {
  return {
    name: `workbook: ${name}`,
    fileName: "juin.xlsx",
    make: (length) => workbookOf(make(length)),
  };
}

function sheet(name: string, make: (length: number) => string): FileShape {
  return workbook(name, (length) => ({ "xl/worksheets/sheet1.xml": sheetOf(make(length)) }));
}

function styles(name: string, make: (length: number) => string): FileShape {
  return workbook(name, (length) => ({
    "xl/styles.xml": `<styleSheet>${make(length)}<cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>`,
  }));
}

function format(code: string, id = 200): string {
  return `<numFmt numFmtId="${id}" formatCode="${code}"/>`;
}

/** Cells that all show one long text: a little file, and much when every cell is counted. */
function sharedText(length: number): Parts {
  const text = "a".repeat(30_000);
  const cells = '<c t="s"><v>2</v></c>'.repeat(100);
  return {
    "xl/sharedStrings.xml": `<sst><si><t>telephone</t></si><si><t>montant</t></si><si><t>${text}</t></si></sst>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData><row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>${repeat(`<row>${cells}</row>`, length)}</sheetData></worksheet>`,
  };
}

export const workbookShapes: readonly FileShape[] = [
  styles(
    "a number format of brackets",
    (length) => `<numFmts>${format("[".repeat(length))}</numFmts>`,
  ),
  styles(
    "number formats of brackets",
    (length) => `<numFmts>${repeat(format("[".repeat(2_000)), length)}</numFmts>`,
  ),
  styles(
    "a number format of quotes",
    (length) => `<numFmts>${format(repeat("&quot;", length))}</numFmts>`,
  ),
  styles(
    "a number format of backslashes",
    (length) => `<numFmts>${format(repeat("\\", length))}</numFmts>`,
  ),
  styles(
    "a number format of underscores",
    (length) => `<numFmts>${format(repeat("_", length))}</numFmts>`,
  ),
  styles("many number formats", (length) => `<numFmts>${repeat(format("yyyy"), length)}</numFmts>`),
  styles(
    "many styles",
    (length) =>
      `</styleSheet><styleSheet><cellXfs>${repeat('<xf numFmtId="14"/>', length)}</cellXfs>`,
  ),
  workbook("cells that share one long text", sharedText),
  workbook("many shared texts", (length) => ({
    "xl/sharedStrings.xml": `<sst>${repeat("<si><t>a</t></si>", length)}</sst>`,
  })),
  workbook("a shared text in many pieces", (length) => ({
    "xl/sharedStrings.xml": `<sst><si>${repeat("<r><t>a</t></r>", length)}</si></sst>`,
  })),
  workbook("a long shared text", (length) => ({
    "xl/sharedStrings.xml": `<sst><si><t>${"a".repeat(length)}</t></si></sst>`,
  })),
  workbook("relations", (length) => ({
    "xl/_rels/workbook.xml.rels": `<Relationships>${repeat(`<Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>`, length)}</Relationships>`,
  })),
  workbook("sheets", (length) => ({
    "xl/workbook.xml": `<workbook xmlns:r="${relations}"><sheets>${repeat('<sheet name="x" sheetId="1" r:id="rId1"/>', length)}</sheets></workbook>`,
  })),
  workbook("a way to the sheet of dots", (length) => ({
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="${repeat("./", length)}worksheets/sheet1.xml"/></Relationships>`,
  })),
  {
    name: "workbook: many parts",
    fileName: "juin.xlsx",
    make: async (length) =>
      storedZip(
        withParts(
          Object.fromEntries(
            Array.from({ length: Math.min(60_000, length / 64) }, (_, place) => [
              `xl/x${place}`,
              "",
            ]),
          ),
        ),
      ),
  },
  sheet("rows", (length) => repeat("<row><c><v>1</v></c></row>", length)),
  sheet("empty rows", (length) => repeat("<row/>", length)),
  sheet("cells in one row", (length) => `<row>${repeat("<c><v>1</v></c>", length)}</row>`),
  sheet("cells at one place", (length) => `<row>${repeat('<c r="A2"><v>1</v></c>', length)}</row>`),
  sheet("cells at the last column", (length) =>
    repeat('<row><c r="IV1"><v>1</v></c></row>', length),
  ),
  sheet(
    "a cell in many pieces",
    (length) => `<row><c t="inlineStr"><is>${repeat("<r><t>a</t></r>", length)}</is></c></row>`,
  ),
  sheet(
    "a number of zeros",
    (length) => `<row><c><v>1.${"0".repeat(Math.min(length, 32_000))}1</v></c></row>`,
  ),
  sheet("numbers of zeros", (length) =>
    repeat(`<row><c><v>1.${"0".repeat(32_000)}1</v></c></row>`, length),
  ),
  sheet("entities", (length) => repeat('<row><c t="str"><v>&amp;&#x61;</v></c></row>', length)),
  sheet(
    "an entity that never ends",
    (length) => `<row><c t="str"><v>&${"a".repeat(length)}</v></c></row>`,
  ),
  sheet(
    "escaped letters",
    (length) => `<row><c t="str"><v>${repeat("_x0041_", Math.min(length, 32_000))}</v></c></row>`,
  ),
  sheet("escapes, nearly", (length) =>
    repeat(`<row><c t="str"><v>${"_x".repeat(15_000)}</v></c></row>`, length),
  ),
  sheet(
    "attributes",
    (length) =>
      `<row ${Array.from({ length: Math.ceil(length / 8) }, (_, place) => `a${place}="1"`).join(" ")}/>`,
  ),
  sheet("a long attribute", (length) => `<row r="${"1".repeat(length)}"/>`),
  sheet("a long name", (length) => `<${"a".repeat(length)}/>`),
  sheet("nested elements", (length) => repeat("<a>", length)),
  sheet("comments", (length) => repeat("<!---->", length)),
  sheet("a comment that never ends", (length) => `<!--${"-".repeat(length)}`),
  sheet("cdata", (length) => repeat('<row><c t="str"><v><![CDATA[]]]]></v></c></row>', length)),
  sheet("angles", (length) => "<".repeat(length)),
  sheet("spaces in a tag", (length) => `<row${" ".repeat(length)}/>`),
  workbook("instructions", (length) => ({
    "xl/worksheets/sheet1.xml": `${repeat("<?a?>", length)}${sheetOf("")}`,
  })),
  workbook("a document type", (length) => ({
    "xl/worksheets/sheet1.xml": `<!DOCTYPE a [${repeat('<!ENTITY a "a">', length)}]>${sheetOf("")}`,
  })),
];
