/** A text of a shape, so long as is asked for, more or less. */
export interface Shape {
  readonly name: string;
  readonly make: (length: number) => string;
}

function repeat(text: string, length: number): string {
  return text.repeat(Math.max(1, Math.floor(length / text.length)));
}

function of(name: string, piece: string, end = "", start = ""): Shape {
  return { name, make: (length) => start + repeat(piece, length) + end };
}

/** What a field of text may be filled with: one thing again and again, and then nearly what a pattern waits for. */
export const textShapes: readonly Shape[] = [
  of("letters", "a"),
  of("letters and a wrong end", "a", "!"),
  of("zeros and a one", "0", "1", "5000."),
  of("digits and a letter", "7", "x"),
  of("spaces and a letter", " ", "x", "x"),
  of("spaces between digits", "1 "),
  of("points", "."),
  of("words and points", "a.", "@"),
  of("at signs", "a@a.", ""),
  of("brackets", "["),
  of("pairs of brackets", "[]", "["),
  of("quotes", '"'),
  of("backslashes", "\\"),
  of("slashes", "/", "", "http://a"),
  of("dots and slashes", "../"),
  of("commas", ","),
  of("semicolons", "a;q=", ""),
  of("equals signs", "="),
  of("ampersands", "&a=", ""),
  of("percent signs", "%25"),
  of("minus signs", "-", "x"),
  of("plus signs", "+", "1"),
  of("angles", "<", ""),
  of("lines", "\n", "x"),
  of("accents apart", "e\u0301"),
  of("marks on marks", "\u0301", "", "e"),
  of("invisible ones", "\u200b"),
  of("pairs of halves", "\ud83d\ude00"),
];

/** Of these a header can be made. */
export const headerShapes = textShapes.filter(({ make }) => /^[\x20-\x7e]+$/.test(make(64)));

/** Texts that a reader of JSON has to get through, whole bodies. */
export const jsonShapes: readonly Shape[] = [
  of("a number that is nearly 5000", "0", "1}", '{"amount":5000.'),
  of("a number of many digits", "9", "}", '{"amount":'),
  of("a number with a long exponent", "0", "1}", '{"amount":1e'),
  of("zeros behind a minus", "0", "1]", "[-0."),
  of("digits and a letter", "1", "x]", "["),
  of("numbers", "1,", "1]", "["),
  of("long numbers", "0.000000000000000000001,", "1]", "["),
  { name: "nested lists", make: (length) => `${"[".repeat(length / 2)}${"]".repeat(length / 2)}` },
  of("lists that never end", "["),
  of("objects that never end", '{"a":'),
  {
    name: "nested objects",
    make: (length) => `${'{"a":'.repeat(length / 6)}1${"}".repeat(length / 6)}`,
  },
  of("empty objects", "{},", "{}]", "["),
  of("empty lists", "[],", "[]]", "["),
  of("commas", ",", "]", "["),
  of("colons", ":", "}", "{"),
  {
    name: "many names",
    make: (length) =>
      `{${Array.from({ length: Math.ceil(length / 12) }, (_, place) => `"k${place}":1`).join(",")}}`,
  },
  of("one name many times", '"a":1,', '"a":1}', "{"),
  of("a long name", "a", '":1}', '{"'),
  of("a long text", "a", '"]', '["'),
  of("a text that never ends", "a", "", '["'),
  of("escaped backslashes", "\\\\", '"]', '["'),
  of("escaped quotes", '\\"', '"]', '["'),
  of("escaped letters", "\\u0061", '"]', '["'),
  of("escaped halves", "\\ud800", '"]', '["'),
  of("short texts", '"",', '""]', "["),
  of("letters of two bytes", "é", '"]', '["'),
  of("spaces before", " ", "{}"),
  of("spaces behind", " ", "", "{}"),
  of("lines and a letter", "\n", "x"),
  of("a long text and a wrong end", "a", '"x', '["'),
  of(
    "a number that is nearly 5000, behind a long text",
    "a",
    '","amount":5000.0000000000001}',
    '{"a":"',
  ),
  of("lines between", "1\n,", "1]", "["),
  of("words in a row", "true"),
  of("words, nearly", "nul,", "null]", "["),
];

/** Rows of a batch, each as it should be but for what they have in common. */
export const batchShapes: readonly Shape[] = [
  {
    name: "good rows",
    make: (length) =>
      `{"transactions":[${Array.from({ length: Math.ceil(length / 100) }, (_, row) => `{"type":"transfer","amount":5000,"msisdn":"2250700000001","reference":"cost-${row}-${length}"}`).join(",")}]}`,
  },
  of("empty rows", "{},", "{}]}", '{"transactions":['),
  of("rows with one reference", '{"reference":"a"},', "{}]}", '{"transactions":['),
  of("rows of lists", "[[]],", "[]]}", '{"transactions":['),
  of("a row with a long text", "a", '"}]}', '{"transactions":[{"reference":"'),
];
