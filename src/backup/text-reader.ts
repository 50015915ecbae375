import { endOfRows } from "./archive.ts";

/** A line of JSON is short: names of tables and columns, sums. */
const lineBytesMax = 1024 * 1024;
const lineFeed = Buffer.from("\n");
const endMark = Buffer.from(`\n${endOfRows}`);

/** Reads the text of an archive as it comes, in pieces of any size. What does not end as it should is told by a RangeError. */
export class TextReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** The next line, without its end. */
  async line(): Promise<string> {
    while (true) {
      const end = this.#rest.indexOf(lineFeed);
      if (end !== -1) {
        const line = this.#rest.subarray(0, end).toString("utf8");
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (this.#rest.length > lineBytesMax) throw new RangeError("a line of it is too long");
      await this.#readOn();
    }
  }

  /** The rows below the line that was read last, up to the mark behind them, which is read too. */
  async *rows(): AsyncGenerator<Buffer> {
    // The line feed before: with it a table without rows ends as every other does.
    this.#rest = Buffer.concat([lineFeed, this.#rest]);
    let given = 1;
    while (true) {
      const end = this.#rest.indexOf(endMark);
      // What may be the beginning of the mark is kept.
      const ready = end === -1 ? this.#rest.length - endMark.length + 1 : end + 1;
      if (ready > given) {
        const piece = this.#rest.subarray(given, ready);
        this.#rest = this.#rest.subarray(ready);
        given = 0;
        yield piece;
      }
      if (end !== -1) {
        this.#rest = this.#rest.subarray(endMark.length - 1 + given);
        return;
      }
      await this.#readOn();
    }
  }

  async isAtEnd(): Promise<boolean> {
    if (this.#rest.length > 0) return false;
    return (await this.#pieces.next()).done === true;
  }

  async #readOn(): Promise<void> {
    const { done, value } = await this.#pieces.next();
    if (done === true) throw new RangeError("it ends too early");
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
  }
}
