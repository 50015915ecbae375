/** What a list may hold on its way into PostgreSQL. */
type Element = string | number | boolean | Date | Buffer | null | undefined;

const special = /["\\]/;

/**
 * A list as PostgreSQL reads it from text, made in one pass. The driver makes it as well, element by element in
 * several calls: for a batch of ten thousand rows that held everybody else up for a tenth of a second.
 */
export function arrayLiteral(list: readonly unknown[]): string {
  let text = "";
  for (const element of list)
    text += text === "" ? elementText(element as Element) : `,${elementText(element as Element)}`;
  return `{${text}}`;
}

function elementText(element: Element): string {
  if (element === null || element === undefined) return "NULL";
  if (typeof element === "string")
    return special.test(element) ? `"${element.replaceAll(/["\\]/g, "\\$&")}"` : `"${element}"`;
  if (typeof element === "number" || typeof element === "boolean") return String(element);
  if (element instanceof Date) return element.toISOString();
  if (Buffer.isBuffer(element)) return `"\\\\x${element.toString("hex")}"`;
  throw new TypeError(`a list for PostgreSQL holds ${typeof element}`);
}
