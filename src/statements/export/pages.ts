import { pageSize } from "../../pdf/document.ts";
import { drawRule, drawText } from "../../pdf/text.ts";
import { lineWidth, margin, type PrintedLine } from "./printed-lines.ts";

const lineHeight = 12;
const headingY = pageSize.height - margin - 10;
const firstLineY = headingY - 18;
const footerY = 24;
const linesPerPage = Math.floor((firstLineY - footerY - 20) / lineHeight) + 1;

/** Lays lines of one height on pages. How many pages there will be follows from how many lines: each page can say it. */
export class Pages {
  readonly #heading: PrintedLine;
  readonly #count: number;
  readonly #words: { readonly page: (page: string, pages: string) => string };
  #lines: PrintedLine[] = [];
  #page = 0;

  constructor(
    heading: PrintedLine,
    lineCount: number,
    words: { readonly page: (page: string, pages: string) => string },
  ) {
    this.#heading = heading;
    this.#count = Math.max(1, Math.ceil(lineCount / linesPerPage));
    this.#words = words;
  }

  add(lines: readonly PrintedLine[]): void {
    this.#lines.push(...lines);
  }

  *takeFull(): Generator<string> {
    while (this.#lines.length > linesPerPage) yield this.#draw(this.#lines.splice(0, linesPerPage));
  }

  *takeAll(): Generator<string> {
    yield* this.takeFull();
    yield this.#draw(this.#lines.splice(0));
  }

  #draw(lines: readonly PrintedLine[]): string {
    this.#page += 1;
    const footer = this.#words.page(String(this.#page), String(this.#count));
    return [
      drawLine(this.#heading, headingY),
      drawRule(margin, headingY - 5, lineWidth),
      ...lines.map((line, index) => drawLine(line, firstLineY - index * lineHeight)),
      drawText({ text: footer, font: "plain", size: 8, x: margin, y: footerY }),
    ].join("");
  }
}

/** What is behind a percent sign is a remark: here the row that the line shows. */
function drawLine({ texts, ordinal }: PrintedLine, y: number): string {
  const remark = ordinal === undefined ? "" : `%${ordinal}\n`;
  return `${remark}${texts.map((text) => drawText({ ...text, y })).join("")}`;
}
