import { inLanguage, type Language } from "../../kernel/language.ts";
import { fieldNotes } from "./field-notes.ts";
import { frenchAnswers } from "./fr-answers.ts";
import { frenchFields } from "./fr-fields.ts";
import { frenchOperations } from "./fr-operations.ts";

/** Everything that the document says, in French, by what it says in English. */
export const french: ReadonlyMap<string, string> = new Map(
  [frenchOperations, frenchFields, frenchAnswers].flatMap((words) => Object.entries(words)),
);

/** What the document says, for the reader of a page; a test sees that nothing is left in English. */
export function translate(language: Language, english: string): string {
  return language === "en" ? english : spaced(french.get(english) ?? english);
}

/** The key of the note on a field that the document says nothing of. */
export function noteKey(parent: string, name: string): string | undefined {
  return [`${parent}.${name}`, name].find((key) => Object.hasOwn(fieldNotes, key));
}

export function noteOf(language: Language, parent: string, name: string): string | undefined {
  const key = noteKey(parent, name);
  const note = key === undefined ? undefined : fieldNotes[key];
  if (note === undefined) return undefined;
  return language === "fr" ? spaced(note.fr) : inLanguage(language, note);
}

/** French puts a space before some signs, at which no line may end. */
export function spaced(text: string): string {
  return text.replaceAll(/ ([:;?!»])/g, "\u00a0$1").replaceAll("« ", "«\u00a0");
}
