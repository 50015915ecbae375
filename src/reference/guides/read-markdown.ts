/** A piece of a line. */
export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong"; readonly inside: readonly Inline[] }
  | { readonly kind: "link"; readonly target: string; readonly inside: readonly Inline[] };

/** A part of a document, as it stands below the part before it. */
export type MarkdownBlock =
  | { readonly kind: "heading"; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly inside: readonly Inline[] }
  | {
      readonly kind: "list";
      readonly isNumbered: boolean;
      readonly items: readonly (readonly Inline[])[];
    }
  | { readonly kind: "table"; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string };

/**
 * Reads as much of Markdown as the guides use: headings, paragraphs, flat lists, tables, fenced code, and in a line code, strong
 * words and links. Comments are for whoever plays the documents, and are left out.
 */
export function readMarkdown(text: string): MarkdownBlock[] {
  const lines = text.split("\n");
  const blocks: MarkdownBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || line.startsWith("<!--")) {
      at += 1;
      continue;
    }
    if (line.startsWith("```")) {
      const end = lines.indexOf("```", at + 1);
      const inside = lines.slice(at + 1, end === -1 ? lines.length : end);
      blocks.push({ kind: "code", language: line.slice(3), text: inside.join("\n") });
      at = end === -1 ? lines.length : end + 1;
      continue;
    }
    const length = runLength(lines, at);
    blocks.push(readRun(lines.slice(at, at + length)));
    at += length;
  }
  return blocks;
}

/** Lines that belong together: up to an empty one, a fence or a comment. A heading is alone. */
function runLength(lines: readonly string[], from: number): number {
  if (isHeading(lines[from] ?? "")) return 1;
  let length = 1;
  for (; from + length < lines.length; length += 1) {
    const line = lines[from + length] ?? "";
    if (line.trim() === "" || line.startsWith("```") || line.startsWith("<!--")) break;
    if (isHeading(line)) break;
  }
  return length;
}

function readRun(lines: readonly string[]): MarkdownBlock {
  const [first = ""] = lines;
  if (isHeading(first)) {
    const level = first.indexOf(" ");
    return { kind: "heading", level, inside: readInline(first.slice(level + 1)) };
  }
  if (first.startsWith("|")) return readTable(lines);
  if (itemStart(first) !== undefined) return readList(lines);
  return { kind: "paragraph", inside: readInline(lines.join(" ")) };
}

function isHeading(line: string): boolean {
  return /^#{1,4} /.test(line);
}

/** The first line has the names of the columns; the second, of dashes, says nothing. */
function readTable(lines: readonly string[]): MarkdownBlock {
  const rows = lines
    .filter((_, place) => place !== 1)
    .map((line) =>
      line
        .trim()
        .slice(1, -1)
        .split("|")
        .map((cell) => readInline(cell.trim())),
    );
  return { kind: "table", rows };
}

/** How many characters an item's mark takes; undefined where none begins. */
function itemStart(line: string): number | undefined {
  return /^(?:-|\d{1,2}\.) /.exec(line)?.[0].length;
}

function readList(lines: readonly string[]): MarkdownBlock {
  const items: string[] = [];
  for (const line of lines) {
    const start = itemStart(line);
    if (start !== undefined) items.push(line.slice(start));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  const isNumbered = /^\d/.test(lines[0] ?? "");
  return { kind: "list", isNumbered, items: items.map(readInline) };
}

function readInline(text: string): Inline[] {
  const at = text.search(/`|\*\*|\[/);
  if (at === -1) return text === "" ? [] : [{ kind: "text", text }];
  const { piece, end } = readPiece(text, at);
  const before = text.slice(0, at);
  return [
    ...(before === "" ? [] : [{ kind: "text", text: before } as const]),
    piece,
    ...readInline(text.slice(end)),
  ];
}

/** What begins there, and where it ends. A mark that nothing closes is a letter like any other. */
function readPiece(text: string, at: number): { readonly piece: Inline; readonly end: number } {
  const [mark = ""] = /^(?:`|\*\*|\[)/.exec(text.slice(at)) ?? [];
  const from = at + mark.length;
  const close = text.indexOf(mark === "[" ? "](" : mark, from);
  const inside = text.slice(from, close);
  if (close > from && mark === "`")
    return { piece: { kind: "code", text: inside }, end: close + 1 };
  if (close > from && mark === "**")
    return { piece: { kind: "strong", inside: readInline(inside) }, end: close + 2 };
  const last = text.indexOf(")", close);
  if (close > from && last > close) {
    const target = text.slice(close + 2, last);
    return { piece: { kind: "link", target, inside: readInline(inside) }, end: last + 1 };
  }
  return { piece: { kind: "text", text: mark }, end: from };
}
