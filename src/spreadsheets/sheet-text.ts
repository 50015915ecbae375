/** What XML cannot hold or would change: control characters, half a pair of a character, a line's end of old. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for.
const unwritable = /[\p{Cs}\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** Most texts: nothing in them is written otherwise. */
const plain = /^[ !-%'-;=?-^`-~]*$/;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** A text as a sheet has it: what XML cannot hold stands there as `_x000D_`, by its number, as Excel does it. */
export function toSheetText(text: string): string {
  if (plain.test(text)) return text;
  return text
    .replaceAll(
      unwritable,
      (char) => `_x${char.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}_`,
    )
    .replaceAll(/[&<>]/g, (char) => entities[char] ?? char);
}

/** The text again; the entities of XML are its reader's. */
export function fromSheetText(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
