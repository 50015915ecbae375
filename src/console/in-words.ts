import type { Language } from "../kernel/language.ts";

/** The words of one section by language. The French ones are the type: whatever they say, the English ones say too. */
export type InWords<Words> = Readonly<Record<Language, Words>>;

export function inBoth<Words>(fr: Words, en: NoInfer<Words>): InWords<Words> {
  return { fr, en };
}
