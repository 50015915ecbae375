/** What a list may hold on its way into PostgreSQL. */
type Element = string | number | boolean | Date | Buffer | null | undefined;

/** Escapes that JSON knows and PostgreSQL does not: for it a backslash only says that the next character is meant. */
const foreignEscape = /\\[^"\\]/;

/**
 * A list as PostgreSQL reads it from text. The driver makes it too, element by element: for the rows of a large batch
 * that held everybody else up. JSON writes texts and nulls the same way but for control characters, and does so at once.
 */
export function arrayLiteral(list: readonly unknown[]): string {
  if (list.every(isText)) {
    const json = JSON.stringify(list);
    if (!foreignEscape.test(json)) return `{${json.slice(1, -1)}}`;
  }
  return `{${(list as readonly Element[]).map(elementText).join(",")}}`;
}

function isText(element: unknown): boolean {
  return typeof element === "string" || element === null;
}

function elementText(element: Element): string {
  if (element === null || element === undefined) return "NULL";
  if (typeof element === "string") return `"${element.replaceAll(/["\\]/g, "\\$&")}"`;
  if (typeof element === "number" || typeof element === "boolean") return String(element);
  if (element instanceof Date) return element.toISOString();
  if (Buffer.isBuffer(element)) return `"\\\\x${element.toString("hex")}"`;
  throw new TypeError(`a list for PostgreSQL holds ${typeof element}`);
}
