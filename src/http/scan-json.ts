import { BodyTooManyValues, InexactNumber, TooManyRows } from "./errors.ts";
import { isExactDecimal } from "./exact-decimal.ts";
import { InvalidJson, NotJson, NumberTooLong, RepeatedName } from "./json/errors.ts";

/** How much a body may hold. It is refused at the first byte that is too much, before any value is made of it. */
export interface BodyShape {
  /** The field of the body that is a list of rows, and how many there may be. */
  readonly rows?: { readonly field: string; readonly max: number };
  /** Values in one row, and in all that is not a row. */
  readonly valuesMax: number;
  /** Values in the whole body. */
  readonly allValuesMax: number;
}

/** From quote to quote. */
interface Name {
  readonly start: number;
  readonly end: number;
}

/** Where the rows of a body stand in its bytes. */
export interface RowsPlace {
  readonly field: string;
  readonly start: number;
  readonly end: number;
  /** Commas between rows, about as far from each other as one piece is long. */
  readonly cuts: readonly number[];
}

const nestingMax = 64;
const nestedTooDeeply = {
  en: `The body is nested too deeply; at most ${nestingMax} levels are allowed.`,
  fr: `Le corps est trop imbriqué, ${nestingMax} niveaux au plus sont admis.`,
};
/** Longer than any number that a double can keep, with its sign, point, zeros and exponent. */
const numberCharsMax = 64;
/** A decimal of up to 15 digits survives the way into a double and back; beyond that it must be looked at. */
const safeDigits = 15;
const fieldCharsMax = 100;
/** How many brackets are open in the object that the body is, and in a row of it. */
const bodyDepth = 1;
const rowDepth = 3;
/** A character as it can stand in a JSON string at its longest: \u0061. */
const escapeCharsMax = 6;
const pieceBytes = 128 * 1024;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * One pass over the bytes, before anything recursive or lossy sees the value. Strings are passed over. It counts what
 * has a limit and notes where the rows are. Whether it is JSON at all is left to the parser.
 */
export class JsonScan {
  readonly #body: Buffer;
  readonly #shape: BodyShape;
  readonly #cuts: number[] = [];
  #place = 0;
  #depth = 0;
  #names = 0;
  #values = 0;
  #allValues = 0;
  #isInString = false;
  #stringStart = 0;
  #stringEnd = 0;
  /** The last names that were read in the body and in a row of it. */
  #bodyName: Name | undefined;
  #rowName: Name | undefined;
  #isRowsNext = false;
  #rowsStart = 0;
  #rowsEnd = 0;
  #rowsAfterFirst = 0;

  constructor(body: Buffer, shape: BodyShape) {
    this.#body = body;
    this.#shape = shape;
  }

  get isDone(): boolean {
    return this.#place >= this.#body.length;
  }

  /** How many names stand in it, all objects together. */
  get names(): number {
    return this.#names;
  }

  get rows(): RowsPlace | undefined {
    const { rows } = this.#shape;
    if (rows === undefined || this.#rowsEnd === 0) return undefined;
    return { field: rows.field, start: this.#rowsStart, end: this.#rowsEnd, cuts: this.#cuts };
  }

  /** Goes on for about as many bytes as a piece has. */
  goOn(): void {
    const body = this.#body;
    const end = Math.min(this.#place + pieceBytes, body.length);
    let place = this.#place;
    while (place < end) {
      if (this.#isInString) {
        place = this.#passString(place, end);
        continue;
      }
      const byte = body[place] ?? 0;
      if (byte === quote) {
        this.#stringStart = place;
        this.#isInString = true;
      } else if (byte === comma) this.#passComma(place);
      else if (byte === colon) this.#passColon();
      else if (byte === openObject || byte === openList) this.#open(byte, place);
      else if (byte === closeObject || byte === closeList) this.#close(byte, place);
      else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
        place = this.#passNumber(place);
        continue;
      }
      place += 1;
    }
    this.#place = place;
  }

  /** Where it goes on: behind the string, or in it when the piece is over. */
  #passString(start: number, end: number): number {
    const body = this.#body;
    let place = start;
    while (place < end && body[place] !== quote) place += body[place] === backslash ? 2 : 1;
    if (place >= end) return place;
    this.#stringEnd = place;
    this.#isInString = false;
    return place + 1;
  }

  get #lastName(): Name {
    return { start: this.#stringStart, end: this.#stringEnd };
  }

  get #isInRows(): boolean {
    return this.#rowsStart > 0 && this.#rowsEnd === 0;
  }

  /** Where the number ends. One that a double would change is refused: 5000.0000000000001 is not 5000. */
  #passNumber(start: number): number {
    const body = this.#body;
    let end = start + 1;
    let hasExponent = false;
    for (let byte = body[end] ?? 0; isNumberByte(byte); byte = body[end] ?? 0) {
      hasExponent ||= byte === 0x65 || byte === 0x45;
      end += 1;
      if (end - start > numberCharsMax) throw new NumberTooLong(numberCharsMax);
    }
    if (end - start <= safeDigits && !hasExponent) return end;
    if (!isExactDecimal(body.toString("latin1", start, end)))
      throw new InexactNumber(this.#fieldHere());
    return end;
  }

  /** The field of the body, or of the row, that is being read. */
  #fieldHere(): { readonly field?: string; readonly index?: number } {
    const row = this.#isInRows ? { index: this.#rowsAfterFirst } : {};
    const name = this.#isInRows ? this.#rowName : this.#bodyName;
    if (name === undefined || name.end - name.start > fieldCharsMax * escapeCharsMax) return row;
    return { field: nameIn(this.#body, name.start, name.end).slice(0, fieldCharsMax), ...row };
  }

  #passComma(place: number): void {
    if (this.#depth === 2 && this.#isInRows) this.#nextRow(place);
    this.#isRowsNext = false;
    this.#countValue();
  }

  #nextRow(place: number): void {
    this.#rowsAfterFirst += 1;
    const { rows } = this.#shape;
    if (rows !== undefined && this.#rowsAfterFirst >= rows.max)
      throw new TooManyRows(rows.field, rows.max);
    this.#values = 0;
    const before = this.#cuts.at(-1) ?? this.#rowsStart;
    if (place - before >= pieceBytes) this.#cuts.push(place);
  }

  #passColon(): void {
    this.#names += 1;
    if (this.#depth === bodyDepth) this.#bodyName = this.#lastName;
    if (this.#depth === rowDepth) this.#rowName = this.#lastName;
    const { rows } = this.#shape;
    if (this.#depth !== 1 || rows === undefined) return;
    // Looked at only when short enough: one long text before many colons would be read anew for each.
    const isShort = this.#stringEnd - this.#stringStart <= rows.field.length * escapeCharsMax + 1;
    this.#isRowsNext =
      isShort && nameIn(this.#body, this.#stringStart, this.#stringEnd) === rows.field;
    if (this.#isRowsNext && this.#rowsStart > 0) throw new RepeatedName();
  }

  #open(byte: number, place: number): void {
    this.#countValue();
    if (this.#depth === 1 && byte === openList && this.#isRowsNext) {
      this.#rowsStart = place + 1;
      this.#values = 0;
    }
    this.#depth += 1;
    this.#forgetNames();
    if (this.#depth > nestingMax) throw new InvalidJson(nestedTooDeeply);
  }

  #close(byte: number, place: number): void {
    this.#forgetNames();
    this.#depth -= 1;
    if (this.#depth !== 1 || !this.#isInRows) return;
    if (byte !== closeList) throw new NotJson();
    this.#rowsEnd = place;
    this.#values = 0;
  }

  /** Those of the object that begins or ends here. */
  #forgetNames(): void {
    if (this.#depth === bodyDepth) this.#bodyName = undefined;
    if (this.#depth === rowDepth) this.#rowName = undefined;
  }

  #countValue(): void {
    this.#values += 1;
    this.#allValues += 1;
    if (this.#values > this.#shape.valuesMax || this.#allValues > this.#shape.allValuesMax)
      throw new BodyTooManyValues();
  }
}

/** The name between two quotes; one that is written with escapes is read as what it stands for. */
function nameIn(body: Buffer, start: number, end: number): string {
  const text = body.toString("utf8", start, end + 1);
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new NotJson();
  }
}

function isNumberByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2e ||
    byte === 0x65 ||
    byte === 0x45 ||
    byte === 0x2b ||
    byte === 0x2d
  );
}
