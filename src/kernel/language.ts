/** The languages that people are answered in. */
const languages = ["en", "fr"] as const;
export type Language = (typeof languages)[number];

/** What is said to a person, in each language. */
export type Sentence = Readonly<Record<Language, string>>;

/** What is said the same in every language is written once. */
export type Said = string | Sentence;

export function inLanguage(language: Language, said: Said): string {
  return typeof said === "string" ? said : said[language];
}

/** Makes one sentence of others, language by language. */
export function composeSentence(compose: (language: Language) => string): Sentence {
  return { en: compose("en"), fr: compose("fr") };
}

const rangesMax = 20;

/** The language of ours that an Accept-Language header likes best; undefined when it likes none. */
export function preferredLanguage(header: string | undefined): Language | undefined {
  if (header === undefined) return undefined;
  const ranges = header
    .split(",", rangesMax)
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
      const weight = parameters.find((parameter) => parameter.trim().startsWith("q="));
      return {
        language: tag.split("-", 1)[0],
        quality: weight === undefined ? 1 : Number(weight.trim().slice(2)),
      };
    })
    .filter(({ quality }) => quality > 0)
    // The sort is stable: of two equally wanted languages the first one named wins.
    .toSorted((one, other) => other.quality - one.quality);
  return ranges.map(({ language }) => language).find(isLanguage);
}

function isLanguage(text: string | undefined): text is Language {
  return languages.some((language) => language === text);
}
