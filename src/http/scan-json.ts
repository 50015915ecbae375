import { BodyTooManyValues, InvalidJson, RepeatedName, TooManyRows } from "./errors.ts";

/** How much a body may hold. It is refused at the first byte that is too much, before any value is made of it. */
export interface BodyShape {
  /** The field of the body that is a list of rows, and how many there may be. */
  readonly rows?: { readonly field: string; readonly max: number };
  /** Values in one row, and in all that is not a row. */
  readonly valuesMax: number;
  /** Values in the whole body. */
  readonly allValuesMax: number;
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
/** A decimal of up to 15 digits survives the way into a double and back; beyond that it must be looked at. */
const safeDigits = 15;
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
  #isExact = true;
  #stringStart = 0;
  #stringEnd = 0;
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

  /** False when a number is not what a double makes of it. */
  get isExact(): boolean {
    return this.#isExact;
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
    for (; place < end; place += 1) {
      const byte = body[place] ?? 0;
      if (byte === quote) {
        this.#stringStart = place;
        place = endOfString(body, place);
        this.#stringEnd = place;
      } else if (byte === comma) this.#passComma(place);
      else if (byte === colon) this.#passColon();
      else if (byte === openObject || byte === openList) this.#open(byte, place);
      else if (byte === closeObject || byte === closeList) this.#close(byte, place);
      else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
        const numberEnd = endOfNumber(body, place);
        this.#isExact &&= isExactNumber(body, place, numberEnd);
        place = numberEnd - 1;
      }
    }
    this.#place = place;
  }

  get #isInRows(): boolean {
    return this.#rowsStart > 0 && this.#rowsEnd === 0;
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
    if (this.#depth !== 1 || this.#shape.rows === undefined) return;
    this.#isRowsNext =
      nameIn(this.#body, this.#stringStart, this.#stringEnd) === this.#shape.rows.field;
    if (this.#isRowsNext && this.#rowsStart > 0) throw new RepeatedName();
  }

  #open(byte: number, place: number): void {
    this.#countValue();
    if (this.#depth === 1 && byte === openList && this.#isRowsNext) {
      this.#rowsStart = place + 1;
      this.#values = 0;
    }
    this.#depth += 1;
    if (this.#depth > nestingMax) throw new InvalidJson(nestedTooDeeply);
  }

  #close(byte: number, place: number): void {
    this.#depth -= 1;
    if (this.#depth !== 1 || !this.#isInRows) return;
    if (byte !== closeList) throw new InvalidJson();
    this.#rowsEnd = place;
    this.#values = 0;
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
    throw new InvalidJson();
  }
}

function endOfString(body: Buffer, start: number): number {
  let place = start + 1;
  while (place < body.length && body[place] !== quote) place += body[place] === backslash ? 2 : 1;
  return place;
}

function endOfNumber(body: Buffer, start: number): number {
  let end = start + 1;
  while (end < body.length && isNumberByte(body[end] ?? 0)) end += 1;
  return end;
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

function isExactNumber(body: Buffer, start: number, end: number): boolean {
  const text = body.toString("latin1", start, end);
  if (text.length <= safeDigits && !/e/i.test(text)) return true;
  const value = Number(text);
  return Number.isFinite(value) && digitsOf(text) === digitsOf(String(value));
}

/** The significant digits, without point, sign, exponent and padding. */
function digitsOf(text: string): string {
  const [mantissa = ""] = text.toLowerCase().split("e");
  return mantissa.replaceAll(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
}
