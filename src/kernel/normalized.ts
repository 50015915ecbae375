/** Longer than any name, address, password or reference that is taken. */
const charsMax = 1_024;

/**
 * A text in a normal form of Unicode. Accents that stand in a row are put in order by the square of their number, so a
 * text that is too long for anything is left as it is: whoever looks at its length refuses it.
 */
export function normalized(text: string, form: "NFC" | "NFD"): string {
  return text.length > charsMax ? text : text.normalize(form);
}
