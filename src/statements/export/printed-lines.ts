import { inThrees } from "../../kernel/in-threes.ts";
import type { Language } from "../../kernel/language.ts";
import { drawQrCode } from "../../pdf/qr-code.ts";
import { type Font, fitted, type PlacedText, printable, widthOf } from "../../pdf/text.ts";
import { toWallClock } from "../../spreadsheets/cell.ts";
import { type ExportRow, kindWords, rowKinds } from "./columns.ts";
import type { OpeningFacts } from "./facts.ts";
import { printedWords } from "./words.ts";

/** Something that is drawn beside a text, from the height of its line. */
interface Drawing {
  readonly draw: (y: number) => string;
}

/** One line on a page. */
export type PrintedLine = readonly (PlacedText | Drawing)[];

export const margin = 36;
export const lineWidth = 523;
const size = 8;

/** Where columns are, in points from the left of the page: date, kind, reference, amount, fee, balance. */
const places: readonly {
  readonly x: number;
  readonly width: number;
  readonly isNumber: boolean;
}[] = [
  { x: 36, width: 82, isNumber: false },
  { x: 122, width: 80, isNumber: false },
  { x: 206, width: 160, isNumber: false },
  { x: 370, width: 62, isNumber: true },
  { x: 436, width: 48, isNumber: true },
  { x: 488, width: 71, isNumber: true },
];

const formats = {
  en: new Intl.NumberFormat("en-GB"),
  fr: new Intl.NumberFormat("fr-FR"),
};

export function headingLine(language: Language): PrintedLine {
  return inColumns(printedWords[language].headings, "bold");
}

/** The code at the right of the first lines: so wide, and so far above the first. */
const [codeWidth, codeRise] = [64, 12];

export function openingLines(
  facts: OpeningFacts,
  language: Language,
  verifyUrl: string,
): readonly PrintedLine[] {
  const words = printedWords[language];
  const named = (name: string, value: string) => sentence(`${name}\u00a0: ${value}`);
  return [
    [
      { x: margin, text: words.title, font: "bold", size: 14 },
      {
        draw: (y) =>
          drawQrCode(
            verifyUrl,
            margin + lineWidth - codeWidth,
            y + codeRise - codeWidth,
            codeWidth,
          ),
      },
    ],
    emptyLine,
    [{ x: margin, text: printable(facts.companyName), font: "bold", size: 10 }],
    named(words.account, facts.company),
    ...(facts.subCompany === null ? [] : [named(words.entity, facts.subCompany)]),
    named(
      words.period,
      words.days(dayOf(facts.from, facts, language), dayOf(facts.until, facts, language, -1)),
    ),
    named(words.timeZone, facts.timeZone),
    sentence(words.currency),
    named(words.lines, formats[language].format(facts.count)),
    emptyLine,
    ...facts.totals.map(({ kind, count, amount, fee }) =>
      inColumns(
        [
          "",
          "",
          words.total(kindWords[kind][language], formats[language].format(count)),
          number(String(amount), language),
          number(String(fee), language),
          "",
        ],
        "plain",
      ),
    ),
    emptyLine,
    balanceLine(kindWords.opening[language], facts.opening, language),
  ];
}

export function statementLine(row: ExportRow, language: Language): PrintedLine {
  const kind = rowKinds.find((one) => one === row.kind);
  const phone = row.msisdn === undefined || row.msisdn === "" ? "" : `+${row.msisdn}`;
  const what = [row.reference || row.externalId || row.memo || row.id, phone].filter(Boolean);
  return inColumns(
    [
      dateText(row.date ?? "", language),
      kind === undefined ? "" : kindWords[kind][language],
      what.join(" · "),
      number(row.amount ?? "", language),
      number(row.fee ?? "", language),
      number(row.balanceAfter ?? "", language),
    ],
    "plain",
  );
}

export function closingLines(
  facts: OpeningFacts,
  language: Language,
  code: string,
  verifyUrl: string,
): readonly PrintedLine[] {
  const words = printedWords[language];
  return [
    balanceLine(kindWords.closing[language], facts.closing, language),
    emptyLine,
    [{ x: margin, text: words.code(code), font: "bold", size: 10 }],
    ...words.howToVerify(verifyUrl).map(sentence),
  ];
}

const emptyLine: PrintedLine = [];

function sentence(text: string): PrintedLine {
  return [{ x: margin, text: fitted(printable(text), size, lineWidth), font: "plain", size }];
}

function balanceLine(name: string, balance: number, language: Language): PrintedLine {
  return inColumns(["", name, "", "", "", number(String(balance), language)], "bold");
}

function inColumns(cells: readonly string[], font: Font): PrintedLine {
  const texts: PlacedText[] = [];
  for (const [index, { x, width, isNumber }] of places.entries()) {
    const text = fitted(printable(cells[index] ?? ""), size, width);
    if (text !== "")
      texts.push({ x: isNumber ? x + width - widthOf(text, size) : x, text, font, size });
  }
  return texts;
}

/** Digits in threes. The thin space that the French put between them is not in the fonts. */
function number(text: string, language: Language): string {
  return inThrees(text, language === "fr" ? "\u00a0" : ",");
}

/** The day on which a moment is, in the company's time zone; `shiftMs` for the end of a period, which is not in it. */
function dayOf(
  moment: string | null,
  { timeZone }: OpeningFacts,
  language: Language,
  shiftMs = 0,
): string | undefined {
  if (moment === null) return undefined;
  return dateText(toWallClock(new Date(Date.parse(moment) + shiftMs), timeZone), language);
}

function dateText(wallClock: string, language: Language): string {
  const [, year = "", month = "", day = "", time = ""] =
    /^(\d+)-(\d\d)-(\d\d) (.*)$/.exec(wallClock) ?? [];
  return language === "fr" ? `${day}/${month}/${year} ${time}` : `${year}-${month}-${day} ${time}`;
}
