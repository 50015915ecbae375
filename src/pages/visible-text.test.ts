import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { withVisibleText } from "./visible-text.ts";

const shown = (text: string) => withVisibleText(renderToString(h("p", null, text)));
const mark = (name: string) => `<span class="codepoint">${name}</span>`;

test.for([
  ["\u202e", "U+202E"],
  ["\u2066", "U+2066"],
  ["\u061c", "U+061C"],
  ["\u200e", "U+200E"],
  ["\u200b", "U+200B"],
  ["\u200d", "U+200D"],
  ["\u2060", "U+2060"],
  ["\ufeff", "U+FEFF"],
  ["\u00ad", "U+00AD"],
  ["\u180e", "U+180E"],
  ["\u034f", "U+034F"],
  ["\u115f", "U+115F"],
  ["\u3164", "U+3164"],
  ["\uffa0", "U+FFA0"],
  ["\ufe0f", "U+FE0F"],
  ["\u{e0100}", "U+E0100"],
  ["\u{e0041}", "U+E0041"],
  ["\u2028", "U+2028"],
  ["\u0007", "U+0007"],
  ["\u009b", "U+009B"],
  ["\ue000", "U+E000"],
  ["\u{f0000}", "U+F0000"],
  ["\u2800", "U+2800"],
] as const)("%j is marked, wherever it stands", ([character, name]) => {
  expect(shown(`a${character}b`)).toBe(`<p>a${mark(name)}b</p>`);
  expect(shown(character.repeat(2))).toBe(`<p>${mark(name).repeat(2)}</p>`);
  expect(withVisibleText(`<title>a${character}</title>`)).toBe(`<title>a[${name}]</title>`);
  expect(withVisibleText(`<a title="a>${character}" href="/x">y</a>`)).toBe(
    `<a title="a>[${name}]" href="/x">y</a>`,
  );
});

test("what people write stays as it is: accents, emoji with their joiners, blanks, line ends", () => {
  for (const text of [
    "Aïssatou N’Diaye-Bâ, café d’Abidjan: 5 000 F CFA (12 €) …",
    "👩🏽‍🌾 ❤️ 👍🏿 🇸🇳",
    "a\u00a0b\u202fc\nd\te",
    "Ɗanladi Ŋɔma œuvre",
    "e\u0301te\u0301",
  ])
    expect(shown(text)).toBe(`<p>${text}</p>`);
});

test("a word from right to left does not turn around what stands beside it", () => {
  expect(shown("ref אבג 500 000")).toBe("<p>ref <bdi>אבג</bdi> 500 000</p>");
  expect(shown("1 مُحَمَّد علي 2")).toBe("<p>1 <bdi>مُحَمَّد علي</bdi> 2</p>");
  expect(shown("ߒߞߏ 7")).toBe("<p><bdi>ߒߞߏ</bdi> 7</p>");
});

test("a mark without a letter stands on a circle, and not on what is before it", () => {
  expect(shown("\u0301000 F")).toBe("<p>\u25cc\u0301000 F</p>");
  expect(shown("\u200b\u0301")).toBe(`<p>${mark("U+200B")}\u25cc\u0301</p>`);
});

test("values of fields, styles and scripts are not touched", () => {
  for (const html of [
    '<input value="a\u202eb">',
    "<textarea>a\u202eb</textarea>",
    "<style>.a::before { content: '\ue000'; }</style>",
    "<script>const a = '<p>\u200b';</script>",
  ])
    expect(withVisibleText(html)).toBe(html);
});

test("a million characters that are not seen are marked in a moment", () => {
  const began = performance.now();
  expect(shown("\u202e<".repeat(500_000)).length).toBeGreaterThan(15_000_000);
  expect(performance.now() - began).toBeLessThan(20_000);
});
