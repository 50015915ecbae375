import type { Language } from "../../kernel/language.ts";
import type { Reference } from "../read-reference.ts";
import type { Words } from "../words/fr.ts";
import { noteOf, translate } from "../words/translate.ts";

/** What every part of the page needs. */
export interface Frame {
  readonly language: Language;
  readonly words: Words;
  readonly reference: Reference;
  /** The name in the headers of notifications. */
  readonly brand: string;
  /** The path that addresses of this installation begin with. */
  readonly basePath: string;
  /** Undefined in production: there, nothing can be tried. */
  readonly testMsisdns: { readonly success: string; readonly failure: string } | undefined;
}

/** A sentence of the document, in the reader's language. */
export function say({ language }: Frame, english: string): string {
  return translate(language, english);
}

/** What a field is: as the document says, or else as is known by its name. */
export function sayOfField(
  { language }: Frame,
  parent: string,
  { name, description }: { readonly name: string; readonly description: string | undefined },
): string | undefined {
  return description === undefined
    ? noteOf(language, parent, name)
    : translate(language, description);
}

/** The id of the section that tells of an object, a topic, a group or an error. */
export const anchors = {
  group: (name: string) => `g-${name.toLowerCase()}`,
  object: (name: string) => `o-${name}`,
  topic: (topic: string) => `t-${topic.replace("/", "-")}`,
  error: (code: string) => `e-${code}`,
};
