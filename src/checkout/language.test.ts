import { expect, test } from "vitest";
import { chooseLanguage } from "./language.ts";
import { en } from "./words/en.ts";
import { fr } from "./words/fr.ts";

test.for([
  [undefined, "fr"],
  ["", "fr"],
  ["en", "en"],
  ["en-GB,en;q=0.9,fr;q=0.8", "en"],
  ["fr-SN,en;q=0.9", "fr"],
  ["wo,en;q=0.4,fr;q=0.3", "en"],
  ["de-DE,pt", "fr"],
  ["fr;q=0,en;q=0.1", "en"],
  ["en;q=0.5,fr;q=0.5", "en"],
  ["*", "fr"],
  [";;;,q=,en;q=x", "fr"],
] as const)("Accept-Language %j: %s", ([header, lang]) => {
  const { words, query } = chooseLanguage(undefined, header);

  expect(words.lang).toBe(lang);
  expect(query).toEqual({});
});

test("a language asked for in the address wins, and stays in every address", () => {
  expect(chooseLanguage("en", "fr")).toEqual({ words: en, query: { lang: "en" } });
  expect(chooseLanguage("fr", "en")).toEqual({ words: fr, query: { lang: "fr" } });
  for (const asked of ["de", "", "__proto__", ["en", "fr"]])
    expect(chooseLanguage(asked, "en").words.lang, String(asked)).toBe("en");
});

test("both languages say everything, and say it differently", () => {
  const [french, english] = [textsOf(fr), textsOf(en)];

  expect([...english.keys()]).toEqual([...french.keys()]);
  const same = [...french].filter(([path, text]) => english.get(path) === text);
  // Three words that happen to be the same.
  expect(same.map(([path]) => path)).toEqual(["/minutes", "/receipt/date", "/verify/format"]);
});

/** Every text by its path; what takes values is given the same ones in both languages. */
function textsOf(words: object, path = ""): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(words) as [string, unknown][]) {
    const here = `${path}/${name}`;
    if (typeof value === "string") texts.set(here, value);
    else if (typeof value === "function")
      texts.set(here, (value as (...values: unknown[]) => string)("7,7", "x", "y"));
    else for (const [deeper, text] of textsOf(value as object, here)) texts.set(deeper, text);
  }
  return texts;
}
