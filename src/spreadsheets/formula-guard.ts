/** What a spreadsheet program would take for a formula. The apostrophes before it are our own guards of earlier rounds. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** What Excel would take for a number or a date and write back as another text: 2,21771E+11, 7 for 007, 1-2 as a day. */
const number = /^'*[\d.,][\d\s.,:/\-+eE%]*$/;

export type Guard = "formulas" | "formulas-and-numbers";

/**
 * The text with an apostrophe before it where a program would not leave it a text, and where it has an apostrophe already that
 * could be taken for such a guard.
 */
export function guarded(text: string, against: Guard): string {
  const isNumber = number.test(text) && (against !== "formulas" || text.startsWith("'"));
  return isNumber || formula.test(text) ? `'${text}` : text;
}

/** The text as it was before `guarded`. An apostrophe before any other text is part of it. */
export function unguarded(text: string): string {
  return text.startsWith("'") && (formula.test(text) || number.test(text)) ? text.slice(1) : text;
}
