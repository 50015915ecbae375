import { preferredLanguage } from "../kernel/language.ts";
import { en } from "./words/en.ts";
import { fr, type Words } from "./words/fr.ts";

/** The languages of the pages. French comes first: it is for readers who ask for none of these. */
const languages = { fr, en } as const;
type Language = keyof typeof languages;

interface LanguageChoice {
  readonly words: Words;
  /** Goes into every link and form when the reader chose the language by hand, so that no cookie has to keep it. */
  readonly query: Readonly<Record<string, string>>;
}

/** The language asked for in the address; else the best of Accept-Language; else French. */
export function chooseLanguage(asked: unknown, acceptLanguage: string | undefined): LanguageChoice {
  if (isLanguage(asked)) return { words: languages[asked], query: { lang: asked } };
  return { words: languages[preferredLanguage(acceptLanguage) ?? "fr"], query: {} };
}

function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(languages, value);
}
