/** Removes whitespace without meaning: gzip makes it small, but not nothing. */
export function minifyStyles(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};]) ?/g, "$1")
    .replaceAll(/([:,]) /g, "$1")
    .replaceAll(";}", "}")
    .trim();
}
