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
  readonly #heading: string;
  readonly #count: number;
  readonly #words: { readonly page: (page: string, pages: string) => string };
  /** The page that is being made: a line is drawn as it comes, and nothing else of it is held. */
  #drawn = "";
  #lines = 0;
  #page = 0;
  #full: string[] = [];

  constructor(
    heading: PrintedLine,
    lineCount: number,
    words: { readonly page: (page: string, pages: string) => string },
  ) {
    this.#heading = drawLine(heading, headingY) + drawRule(margin, headingY - 5, lineWidth);
    this.#count = Math.max(1, Math.ceil(lineCount / linesPerPage));
    this.#words = words;
  }

  add(lines: readonly PrintedLine[]): void {
    for (const line of lines) {
      if (this.#lines === linesPerPage) this.#turn();
      this.#drawn += drawLine(line, firstLineY - this.#lines * lineHeight);
      this.#lines += 1;
    }
  }

  takeFull(): readonly string[] {
    if (this.#full.length === 0) return this.#full;
    const full = this.#full;
    this.#full = [];
    return full;
  }

  takeAll(): readonly string[] {
    this.#turn();
    return this.takeFull();
  }

  #turn(): void {
    this.#page += 1;
    const text = this.#words.page(String(this.#page), String(this.#count));
    const footer = drawText({ text, font: "plain", size: 8, x: margin }, footerY);
    this.#full.push(this.#heading + this.#drawn + footer);
    this.#drawn = "";
    this.#lines = 0;
  }
}

function drawLine(texts: PrintedLine, y: number): string {
  return texts.map((text) => ("draw" in text ? text.draw(y) : drawText(text, y))).join("");
}
