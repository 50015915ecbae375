import type { Cell, Row } from "./cell.ts";
import { toSheetDate } from "./sheet-numbers.ts";
import { toSheetText } from "./sheet-text.ts";

/** What a workbook says of itself before its rows. */
export interface WorkbookFacts {
  readonly sheetName: string;
  readonly header: readonly string[];
  /** In characters, one for each column. */
  readonly widths: readonly number[];
  /** Columns, counted from 0, in which whatever is typed stays text, also in rows that are not there yet. */
  readonly textColumns?: readonly number[];
}

/** A part of a workbook's archive: its name, and its content piece by piece. */
export interface Part {
  readonly name: string;
  readonly pieces: AsyncIterable<Buffer>;
}

/** As many rows as a sheet can have; what comes after them goes on the next sheet. */
const sheetRowsMax = 1_048_576;

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const packaging = "http://schemas.openxmlformats.org/package/2006";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The styles of cells, by their place in `styles`. */
const style = { text: 1, amount: 2, moment: 3, header: 4, typed: 5 };

/** All of a workbook in the order in which it is written. A part is to be read to its end before the next is asked for. */
export async function* workbookParts(
  facts: WorkbookFacts,
  sets: AsyncIterable<Iterable<Row>>,
  rowsMax = sheetRowsMax,
): AsyncGenerator<Part> {
  const rows = new Rows(sets);
  const names: string[] = [];
  try {
    yield { name: "_rels/.rels", pieces: inOnePiece(packageRelations) };
    do {
      names.push(names.length === 0 ? facts.sheetName : `${facts.sheetName} ${names.length + 1}`);
      const name = `xl/worksheets/sheet${names.length}.xml`;
      yield { name, pieces: sheet(facts, rows, rowsMax - 1) };
    } while (await rows.hasMore());
    yield { name: "xl/workbook.xml", pieces: inOnePiece(workbook(names)) };
    yield { name: "xl/_rels/workbook.xml.rels", pieces: inOnePiece(workbookRelations(names)) };
    yield { name: "xl/styles.xml", pieces: inOnePiece(styles) };
    yield { name: "[Content_Types].xml", pieces: inOnePiece(contentTypes(names)) };
  } finally {
    await rows.end();
  }
}

/** Rows that come in sets and are taken one at a time, as they are made. */
class Rows {
  readonly #sets: AsyncIterator<Iterable<Row>>;
  #left: Iterator<Row> | undefined;
  #next: Row | undefined;
  #isDone = false;

  constructor(sets: AsyncIterable<Iterable<Row>>) {
    this.#sets = sets[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#next === undefined && !this.#isDone) {
      if (this.#left === undefined) {
        const { value, done } = await this.#sets.next();
        if (done === true) this.#isDone = true;
        else this.#left = value[Symbol.iterator]();
      }
      this.#look();
    }
    return this.#next !== undefined;
  }

  /** The next row of the set that was last looked into, if there is one. */
  take(): Row | undefined {
    const row = this.#next;
    this.#next = undefined;
    if (row !== undefined) this.#look();
    return row;
  }

  async end(): Promise<void> {
    await this.#sets.return?.();
  }

  #look(): void {
    const found = this.#left?.next();
    if (found === undefined || found.done === true) this.#left = undefined;
    else this.#next = found.value;
  }
}

async function* sheet(facts: WorkbookFacts, rows: Rows, rowsMax: number): AsyncGenerator<Buffer> {
  const columns = facts.widths.map(
    (width, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"${facts.textColumns?.includes(index) === true ? ` style="${style.typed}"` : ""}/>`,
  );
  yield Buffer.from(
    `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join("")}</cols><sheetData>\n${headerRow(facts.header)}`,
  );
  for (let line = 1; line <= rowsMax && (await rows.hasMore()); ) {
    let text = "";
    for (let row = rows.take(); row !== undefined; row = line > rowsMax ? undefined : rows.take()) {
      line += 1;
      text += sheetRow(row, line);
    }
    yield Buffer.from(text);
  }
  yield Buffer.from("</sheetData></worksheet>");
}

function headerRow(header: readonly string[]): string {
  const cells = header.map((text, index) => textCell(text, `${letters(index)}1`, style.header));
  return `<row r="1">${cells.join("")}</row>\n`;
}

function sheetRow(row: Row, line: number): string {
  const cells = row.map((cell, index) => sheetCell(cell, `${letters(index)}${line}`));
  return `<row r="${line}">${cells.join("")}</row>\n`;
}

function sheetCell(cell: Cell, place: string): string {
  if ("amount" in cell) return numberCell(cell.amount, place, style.amount);
  if ("moment" in cell) return numberCell(toSheetDate(cell.moment), place, style.moment);
  return cell.text === "" ? "" : textCell(cell.text, place, style.text);
}

function numberCell(value: number, place: string, styleNumber: number): string {
  return `<c r="${place}" s="${styleNumber}"><v>${value}</v></c>`;
}

/** The text stands in its cell and not among shared ones, which would have to be held until the end. */
function textCell(text: string, place: string, styleNumber: number): string {
  return `<c r="${place}" s="${styleNumber}" t="inlineStr"><is><t xml:space="preserve">${toSheetText(text)}</t></is></c>`;
}

/** A, B, … Z, AA, AB, … */
function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : `${letters(Math.floor(column / 26) - 1)}${last}`;
}

const packageRelations = `${xml}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** Text is kept as text when its cell is edited (quotePrefix), also where it looks like a formula or a number. */
const styles = `${xml}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">${[
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>',
  '<xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>',
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
].join("")}</cellXfs></styleSheet>`;

function workbook(names: readonly string[]): string {
  const sheets = names.map(
    (name, index) =>
      `<sheet name="${toSheetText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return `${xml}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.join("")}</sheets></workbook>`;
}

function workbookRelations(names: readonly string[]): string {
  const sheets = names.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return `${xml}<Relationships xmlns="${packaging}/relationships">${sheets.join("")}<Relationship Id="rId${names.length + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`;
}

function contentTypes(names: readonly string[]): string {
  const sheets = names.map(
    (_, index) =>
      `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
  );
  return `${xml}<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>${sheets.join("")}</Types>`;
}

async function* inOnePiece(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
