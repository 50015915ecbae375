type AmountProblem = "missing" | "ambiguous" | "scientific" | "fraction" | "currency" | "wrong";

export type AmountRead =
  /** isPlain: nothing but digits. Anything else was interpreted, and is shown to whoever pays. */
  | { readonly amount: number; readonly isPlain: boolean; readonly problem?: never }
  | { readonly problem: AmountProblem; readonly amount?: never };

const francsBefore = /^(?:XOF|F\.? ?CFA|CFA)( |\d)/i;
const francsBehind = / ?(?:XOF|F\.? ?CFA|CFA|francs?(?: ?CFA)?|F)\.?$/i;
/** Whatever a spreadsheet puts between thousands, as one space. */
const spaces = /[\s\u00a0\u2007\u2009\u202f]+/g;

/** Each can be read in one way only. The decimals that some have are zeros. */
const readable = [
  /^\d+(?:[.,]00?)?$/,
  /^\d{1,3}(?: \d{3})+(?:[.,]00?)?$/,
  /^\d{1,3}(?:\.\d{3})+,00?$/,
  /^\d{1,3}(?:,\d{3})+\.00?$/,
  /^\d{1,3}(?:\.\d{3}){2,}$/,
  /^\d{1,3}(?:,\d{3}){2,}$/,
];
const digitsMax = 15;

/**
 * Reads an amount of francs as people and spreadsheets write it. 25.000 is twenty-five thousand to some and twenty-five to
 * others, so it is refused: money is not guessed.
 */
export function readAmount(typed: string): AmountRead {
  const whole = typed.replaceAll(spaces, " ").trim();
  const text = whole.replace(francsBefore, "$1").trim().replace(francsBehind, "");
  if (whole === "") return { problem: "missing" };
  if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(text)) return { problem: "scientific" };
  if (/^\d{1,3}[.,]\d{3}$/.test(text)) return { problem: "ambiguous" };
  if (readable.some((shape) => shape.test(text))) {
    const digits = text.replace(/[.,]00?$/, "").replaceAll(/\D/g, "");
    if (digits.length > digitsMax) return { problem: "wrong" };
    return { amount: Number(digits), isPlain: /^\d+$/.test(whole) };
  }
  if (/^\d+(?: \d{3})*[.,]\d+$/.test(text)) return { problem: "fraction" };
  if (/^[\d .,]+ ?(?:\p{Sc}|[A-Z]{3})$|^(?:\p{Sc}|[A-Z]{3}) ?[\d .,]+$/iu.test(text))
    return { problem: "currency" };
  return { problem: "wrong" };
}

/** What an ambiguous amount can mean: 25000, or 25. */
export function meaningsOf(ambiguous: string): readonly [whole: string, fraction: string] {
  const digits = ambiguous.replaceAll(spaces, " ").replaceAll(/[^\d.,]/g, "");
  const [before = "", behind = ""] = digits.split(/[.,]/);
  return [before + behind, /^0+$/.test(behind) ? before : `${before}.${behind}`];
}
