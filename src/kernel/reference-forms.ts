import { normalized } from "./normalized.ts";

/** Nearly all of them: the same in every form of Unicode. */
const plain = /^[ -~]*$/;

/** What references are compared by: é is the same letter, whether it is written as one character or as two. */
export function referenceKey(reference: string): string {
  return plain.test(reference) ? reference : normalized(reference, "NFC");
}

/** The forms in which a reference can be stored: in NFC, and by earlier releases as somebody wrote it. */
export function referenceForms(reference: string): string[] {
  if (plain.test(reference)) return [reference];
  return [...new Set([referenceKey(reference), reference, normalized(reference, "NFD")])];
}
