/** The letters of the fonts that every reader of PDF has: Windows-1252, and where each of its characters stands. */
const codeOf = new Map(
  new TextDecoder("windows-1252")
    .decode(Uint8Array.from({ length: 256 }, (_, code) => code))
    .split("")
    .map((char, code) => [char, code] as const)
    .filter(([, code]) => code >= 32 && code !== 127),
);

/** The widths of Helvetica from the space to the tilde, in thousandths of the letter's size. */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/** Of what is neither ASCII nor a letter with an accent; no character is wider. */
const widest = 1_015;

export const fonts = { plain: "F1", bold: "F2" } as const;
export type Font = keyof typeof fonts;

export interface PlacedText {
  readonly text: string;
  readonly font: Font;
  readonly size: number;
  /** From the left of the page, in points. */
  readonly x: number;
}

/** Most texts: all of it is in the fonts. */
const latin = /^[ -~\u00a0-\u00ff]*$/;

/** The text with every character that the fonts have; for others a question mark stands. */
export function printable(text: string): string {
  if (latin.test(text)) return text;
  const spaced = text
    .replaceAll(/[\u202f\u2009]/g, "\u00a0")
    .replaceAll(/\s/g, (char) => (char === "\u00a0" ? char : " "));
  return Array.from(spaced, (char) => (codeOf.has(char) ? char : "?")).join("");
}

/** A letter with an accent is as wide as without. */
const widthOfChar = new Map(
  Array.from(codeOf.keys(), (char) => {
    const plain = char === "\u00a0" ? 32 : char.normalize("NFD").charCodeAt(0);
    return [char, widths[plain - 32] ?? widest] as const;
  }),
);

/** The same by the numbers of the characters, for those of nearly every text. */
const widthOfCode = Uint16Array.from(
  { length: 256 },
  (_, code) => widthOfChar.get(String.fromCharCode(code)) ?? widest,
);

/** How wide a printable text is, in points; at least, for bold letters are a little wider. */
export function widthOf(text: string, size: number): number {
  let thousandths = 0;
  for (let at = 0; at < text.length; at += 1)
    thousandths += widthOfCode[text.charCodeAt(at)] ?? widthOfChar.get(text.charAt(at)) ?? widest;
  return (thousandths * size) / 1_000;
}

/** The text if it fits, else its beginning and an ellipsis. */
export function fitted(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text;
  let kept = text;
  while (kept !== "" && widthOf(`${kept}…`, size) > width) kept = kept.slice(0, -1);
  return `${kept}…`;
}

/** The instruction that draws a text, so many points from the bottom of the page. */
export function drawText({ text, font, size, x }: PlacedText, y: number): string {
  return `BT/${fonts[font]} ${size} Tf ${round(x)} ${round(y)} Td ${literal(text)} Tj ET\n`;
}

/** The instruction that draws a thin line across. */
export function drawRule(x: number, y: number, width: number): string {
  return `0.5 w ${round(x)} ${round(y)} m ${round(x + width)} ${round(y)} l S\n`;
}

function round(points: number): string {
  return String(Math.round(points * 100) / 100);
}

/** A text in the notation of PDF: in brackets, with what is not ASCII by its number. */
export function literal(text: string): string {
  return `(${printable(text).replaceAll(/[()\\]|[^ -~]/g, escaped)})`;
}

function escaped(char: string): string {
  const code = codeOf.get(char) ?? 63;
  return code > 126 ? `\\${code.toString(8)}` : `\\${char}`;
}
