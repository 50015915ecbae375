import type { Block } from "./blocks.ts";

/** What nobody can know beforehand, and what stands for it on both sides. */
const unknowable: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z| \d\d:\d\d:\d\d\b)/g, "<time>"],
  [/\b(txn|bat|com|subco|key)_(?:[0-9a-f]{32}\b|[0-9a-f]*…)/g, "$1_…"],
  [/\b(at|sk)_(?:[\w-]{43}(?![\w-])|[\w-]*…)/g, "$1_…"],
  [/\b[0-9a-f]{8}-(?:(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|[0-9a-f-]*…)/g, "<uuid>"],
  [/\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b/g, "<reference>"],
  [/\/pay\/[\w.-]+/g, "/pay/<token>"],
  [/\b\d+ ms\b/g, "<ms>"],
  // Seconds or milliseconds since 1970, as names of things are made of them.
  [/-1\d{9}(?:\d{3})?\b/g, "-<now>"],
];

/** Undefined when the output is what the document shows; otherwise both, as they were compared. */
export function differenceOf({ language, text }: Block, output: string): string | undefined {
  const [shown, seen] = language === "json" ? [indent(text), indent(output)] : [text, output];
  const [expected, actual] = [veil(shown), veil(seen)];
  if (expected === undefined || actual === undefined || !toPattern(expected).test(actual))
    return `the document shows:\n${expected ?? text}\nthe reader sees:\n${actual ?? output}`;
  return undefined;
}

/** The same JSON is the same text, however it was broken into lines. */
function indent(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return undefined;
  }
}

function veil(text: string | undefined): string | undefined {
  return text === undefined
    ? undefined
    : unknowable
        .reduce((veiled, [what, name]) => veiled.replace(what, name), text)
        .replace(/[ \r]+$/gm, "")
        .trim();
}

/** "…" stands for anything in a line, and alone on a line for any lines. */
function toPattern(expected: string): RegExp {
  const lines = expected.split("\n").map((line) =>
    line.trim() === "…"
      ? "[^]*"
      : line
          .split("…")
          .map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"))
          .join(".*"),
  );
  return new RegExp(`^${lines.join("\\n")}$`);
}
