import { posix } from "node:path";
import { UnreadableFile } from "./errors.ts";
import type { TableLimits } from "./limits.ts";
import type { Zip } from "./open-zip.ts";
import { hearXml } from "./read-xml.ts";
import { fromSheetText } from "./sheet-text.ts";

/** More than the parts that an archive may have. */
const relationsMax = 10_000;
/** Excel's own limit. */
const stylesMax = 65_536;

/** What must be known of a workbook before the rows of its sheets can be read. */
export interface Workbook {
  /** The parts of its sheets that are not hidden, in their order. */
  readonly sheets: readonly string[];
  readonly sharedTexts: readonly string[];
  /** For each cell style: whether it shows a number as a date. */
  readonly dateStyles: readonly boolean[];
  /** Whether days are counted from 1904, as old workbooks of the Mac do. */
  readonly from1904: boolean;
}

export async function readWorkbook(zip: Zip, limits: TableLimits): Promise<Workbook> {
  const [root] = (await readRelations(zip, "")).filter(({ kind }) => kind === "officeDocument");
  if (root === undefined) throw UnreadableFile.broken("no workbook");
  const relations = await readRelations(zip, root.target);
  const targetOf = (kind: string) => relations.find((one) => one.kind === kind)?.target;

  const { sheetRelations, from1904 } = await readSheets(zip, root.target);
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const sheets = sheetRelations.map((id) => targets.get(id) ?? id);
  const [texts, styles] = [targetOf("sharedStrings"), targetOf("styles")];
  return {
    sheets,
    sharedTexts: texts === undefined ? [] : await readSharedTexts(zip, texts, limits),
    dateStyles: styles === undefined ? [] : await readDateStyles(zip, styles),
    from1904,
  };
}

interface Relation {
  readonly id: string;
  /** The last word of its type; what comes before differs between flavours of the format. */
  readonly kind: string;
  readonly target: string;
}

async function readRelations(zip: Zip, of: string): Promise<Relation[]> {
  const folder = posix.dirname(of);
  const part = posix.join(folder, "_rels", `${posix.basename(of)}.rels`);
  const relations: Relation[] = [];
  await hearXml(zip.read(part), part, {
    open(name, { Id, Type, Target }) {
      if (name !== "Relationship" || Target === undefined) return;
      if (relations.length >= relationsMax) throw UnreadableFile.broken("too many relations");
      const target = Target.startsWith("/") ? Target.slice(1) : posix.join(folder, Target);
      relations.push({ id: Id ?? "", kind: Type?.split("/").at(-1) ?? "", target });
    },
  });
  return relations;
}

async function readSheets(
  zip: Zip,
  part: string,
): Promise<{ readonly sheetRelations: readonly string[]; readonly from1904: boolean }> {
  const sheetRelations: string[] = [];
  let from1904 = false;
  await hearXml(zip.read(part), part, {
    open(name, attributes) {
      if (name === "workbookPr") from1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
      if (name !== "sheet" || /hidden/i.test(attributes["state"] ?? "")) return;
      const [, id] = Object.entries(attributes).find(([key]) => key.endsWith(":id")) ?? [];
      if (sheetRelations.length >= relationsMax) throw UnreadableFile.broken("too many sheets");
      if (id !== undefined) sheetRelations.push(id);
    },
  });
  return { sheetRelations, from1904 };
}

async function readSharedTexts(zip: Zip, part: string, limits: TableLimits): Promise<string[]> {
  const texts: string[] = [];
  const reading = new TextElements();
  let text = "";
  let chars = 0;
  const count = (more: number) => {
    chars += more;
    if (chars > limits.sharedCharsMax)
      throw UnreadableFile.tooLarge({
        en: `its texts are longer than ${limits.sharedCharsMax} characters together`,
        fr: `ses textes dépassent ensemble ${limits.sharedCharsMax} caractères`,
      });
  };
  await hearXml(zip.read(part), part, {
    open(name) {
      if (name === "si") text = "";
      reading.open(name);
    },
    text(piece) {
      if (!reading.isText) return;
      text += piece;
      count(piece.length);
    },
    close(name) {
      reading.close(name);
      if (name !== "si") return;
      texts.push(fromSheetText(text));
      // An empty text has its place in memory too.
      count(1);
    },
  });
  return texts;
}

/** Knows where in a cell or shared text its words stand: in `t`, but not in `rPh`, which says how they are pronounced. */
export class TextElements {
  #inText = false;
  #inPhonetics = false;

  get isText(): boolean {
    return this.#inText && !this.#inPhonetics;
  }

  open(name: string): void {
    if (name === "t") this.#inText = true;
    if (name === "rPh") this.#inPhonetics = true;
  }

  close(name: string): void {
    if (name === "t") this.#inText = false;
    if (name === "rPh") this.#inPhonetics = false;
  }
}

/** The formats of Excel that are never written down in a workbook: its dates and times. */
const builtInDates = /^(?:1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/;

async function readDateStyles(zip: Zip, part: string): Promise<boolean[]> {
  const dateFormats = new Set<string>();
  const styles: boolean[] = [];
  let inCellStyles = false;
  await hearXml(zip.read(part), part, {
    open(name, { numFmtId = "", formatCode = "" }) {
      if (name === "numFmt" && isDateFormat(formatCode)) dateFormats.add(numFmtId);
      if (name === "cellXfs") inCellStyles = true;
      if (name === "xf" && inCellStyles)
        styles.push(builtInDates.test(numFmtId) || dateFormats.has(numFmtId));
      if (styles.length > stylesMax || dateFormats.size > stylesMax)
        throw UnreadableFile.broken("too many styles");
    },
    close(name) {
      if (name === "cellXfs") inCellStyles = false;
    },
  });
  return styles;
}

/** Day, month, year, hour or second as a letter; those in quotes, in brackets or behind \ _ * are only shown. */
function isDateFormat(code: string): boolean {
  // A bracket ends before the next one: else many that are never closed would each be followed to the end.
  const letters = code.replaceAll(/"[^"]*"|\[[^[\]]*\]|[\\_*]./g, "");
  return /[dmyhs]/i.test(letters) && !/general/i.test(letters);
}
