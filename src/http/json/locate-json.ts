import { composeSentence, type Sentence } from "../../kernel/language.ts";
import { InvalidJson } from "./errors.ts";
import { type JsonMistake, mistakeWords } from "./json-mistakes.ts";

const quote = 0x22;
const apostrophe = 0x27;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const lineEnd = 0x0a;

/** Longer than any number that gets here. */
const numberCharsMax = 65;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const numberGoesOn = /^[\d.eE+-]/;
const literals = ["true", "false", "null"];
const escapes = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));
const pieceBytes = 128 * 1024;
/** name=value, as forms and some libraries send it when nobody tells them otherwise. */
const formStart = /^[\w.%[\]-]{1,64}=/;
const formStartBytesMax = 65;

interface Position {
  readonly place: number;
  readonly line: number;
  readonly column: number;
}

/** What may come next. */
type Expected = "value" | "value or ]" | "name" | "name or }" | ":" | ", or end" | "nothing";

/**
 * Where a body stops being JSON, and what is wrong there. The parser's own message differs from release to release of
 * Node.js and holds a part of the body; this goes over the bytes once more, in pieces, and says a place only. It is used only
 * for what the parser has refused.
 */
export class JsonLocator {
  readonly #body: Buffer;
  /** Whether each open bracket, from the outside, is that of an object. */
  readonly #open: boolean[] = [];
  #place = 0;
  #expected: Expected = "value";
  #mistake: JsonMistake | undefined;
  /** Where the text begins that is being passed; undefined outside. */
  #textStart: Position | undefined;
  /** Up to here lines and characters are counted. */
  #counted: Position = { place: 0, line: 1, column: 1 };

  constructor(body: Buffer) {
    this.#body = body;
    if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) this.#mistake = "mark";
    else if (formStart.test(body.toString("latin1", 0, formStartBytesMax))) this.#mistake = "form";
  }

  get isDone(): boolean {
    return this.#mistake !== undefined || this.#place > this.#body.length;
  }

  get problem(): InvalidJson {
    if (this.#mistake === undefined) return new InvalidJson();
    return new InvalidJson(sayWhere(this.#counted, mistakeWords[this.#mistake]));
  }

  /** Goes on for about as many bytes as a piece has; nothing is left to do afterwards for which it would have to be looked at again. */
  goOn(): void {
    const end = this.#place + pieceBytes;
    while (this.#place < end && !this.isDone) this.#step(end);
    this.#count();
  }

  /** Lines, and characters of the last: of each one byte goes on no other. */
  #count(): void {
    let { place, line, column } = this.#counted;
    for (; place < this.#place; place += 1) {
      const byte = this.#body[place] ?? 0;
      if (byte === lineEnd) {
        line += 1;
        column = 1;
      } else if ((byte & 0xc0) !== 0x80) column += 1;
    }
    this.#counted = { place, line, column };
  }

  #step(end: number): void {
    const byte = this.#body[this.#place];
    if (this.#textStart !== undefined) this.#mistake = this.#goOnInText(this.#textStart, end);
    else if (byte === 0x20 || byte === 0x09 || byte === lineEnd || byte === 0x0d) this.#place += 1;
    else if (byte === undefined) this.#end();
    else this.#mistake = this.#take(byte);
  }

  #end(): void {
    if (this.#expected === "nothing") this.#place = this.#body.length + 1;
    else this.#mistake = "ended";
  }

  #take(byte: number): JsonMistake | undefined {
    switch (this.#expected) {
      case "value":
      case "value or ]":
        return this.#takeValue(byte);
      case "name":
      case "name or }":
        return this.#takeName(byte);
      case ":":
        if (byte !== colon) return "colon";
        return this.#goTo("value");
      case ", or end":
        return this.#takeNext(byte);
      case "nothing":
        break;
    }
    return "after";
  }

  #goTo(expected: Expected): undefined {
    this.#place += 1;
    this.#expected = expected;
  }

  /** After a value: what comes depends on what it stands in. */
  #passed(place: number): undefined {
    this.#place = place;
    this.#expected = this.#open.length === 0 ? "nothing" : ", or end";
  }

  #takeValue(byte: number): JsonMistake | undefined {
    if (byte === quote) return this.#beginText();
    if (byte === openObject || byte === openList) {
      this.#open.push(byte === openObject);
      return this.#goTo(byte === openObject ? "name or }" : "value or ]");
    }
    if (byte === closeList && this.#expected === "value or ]") return this.#close();
    if (byte === closeList || byte === closeObject || byte === comma)
      return this.#open.length > 0 && byte !== comma ? "trailing" : "value";
    if (byte === apostrophe) return "apostrophe";
    const text = this.#body.toString("latin1", this.#place, this.#place + numberCharsMax);
    const [digits] = number.exec(text) ?? [];
    const isNumber = digits !== undefined && !numberGoesOn.test(text.slice(digits.length));
    const found = isNumber ? digits : literals.find((literal) => text.startsWith(literal));
    if (found !== undefined) return this.#passed(this.#place + found.length);
    return byte === 0x2d || byte === 0x2b || (byte >= 0x30 && byte <= 0x39) ? "number" : "value";
  }

  #takeName(byte: number): JsonMistake | undefined {
    if (byte === quote) return this.#beginText();
    if (byte === closeObject) return this.#expected === "name or }" ? this.#close() : "trailing";
    return byte === apostrophe ? "apostrophe" : "name";
  }

  #takeNext(byte: number): JsonMistake | undefined {
    const isObject = this.#open.at(-1) === true;
    if (byte === comma) return this.#goTo(isObject ? "name" : "value");
    return byte === (isObject ? closeObject : closeList) ? this.#close() : "comma";
  }

  #close(): undefined {
    this.#open.pop();
    this.#passed(this.#place + 1);
  }

  #beginText(): undefined {
    this.#count();
    this.#textStart = this.#counted;
    this.#place += 1;
  }

  /** Until its quote, or for as long as the piece is. */
  #goOnInText(start: Position, end: number): JsonMistake | undefined {
    const body = this.#body;
    const last = Math.min(end, body.length);
    let place = this.#place;
    while (place < last) {
      const byte = body[place] ?? 0;
      if (byte === quote) return this.#endText(place + 1);
      let length = 1;
      if (byte === backslash) length = escapeLength(body, place);
      else if (byte < 0x20) length = 0;
      if (length === 0) {
        this.#place = place;
        return byte === backslash ? "escape" : "control";
      }
      place += length;
    }
    this.#place = place;
    if (place < body.length) return undefined;
    this.#place = start.place;
    this.#counted = start;
    return "open";
  }

  #endText(place: number): undefined {
    this.#textStart = undefined;
    const isName = this.#expected === "name" || this.#expected === "name or }";
    this.#passed(place);
    if (isName) this.#expected = ":";
  }
}

/** Of an escape that begins there; 0 when it is none. */
function escapeLength(body: Buffer, place: number): number {
  const next = body[place + 1] ?? 0;
  if (escapes.has(next)) return 2;
  const isUnit =
    next === 0x75 && /^[\da-f]{4}$/i.test(body.toString("latin1", place + 2, place + 6));
  return isUnit ? 6 : 0;
}

function sayWhere({ line, column }: Position, hint: Sentence): Sentence {
  return composeSentence((language) =>
    language === "fr"
      ? `Le corps n’est pas du JSON valable, voyez la ligne ${line}, colonne ${column}. ${hint.fr}`
      : `The body is not valid JSON at line ${line}, column ${column}. ${hint.en}`,
  );
}
