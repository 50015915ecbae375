/** Bytes that are read from their beginning to their end, some at a time. */
export class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Takes these bytes, if they are what comes next. */
  async takeIf(expected: Buffer): Promise<boolean> {
    const isNext =
      (await this.#hold(expected.length)) &&
      this.#held.subarray(0, expected.length).equals(expected);
    return isNext && this.#cut(expected.length).length > 0;
  }

  /** So many bytes; undefined when there are fewer. */
  async take(count: number): Promise<Buffer | undefined> {
    return (await this.#hold(count)) ? this.#cut(count) : undefined;
  }

  /** Everything up to and with these bytes; undefined when they are not among the next `countMax`. */
  async takeThrough(end: Buffer, countMax: number): Promise<Buffer | undefined> {
    for (let count = 4_096; ; count *= 2) {
      const hasMore = await this.#hold(count);
      const at = this.#held.subarray(0, countMax).indexOf(end);
      if (at !== -1) return this.#cut(at + end.length);
      if (!hasMore || count >= countMax) return undefined;
    }
  }

  async end(): Promise<void> {
    await this.#chunks.return?.();
  }

  #cut(count: number): Buffer {
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async #hold(count: number): Promise<boolean> {
    const parts = [this.#held];
    let length = this.#held.length;
    while (length < count) {
      const { value, done } = await this.#chunks.next();
      if (done === true) break;
      parts.push(value);
      length += value.length;
    }
    if (parts.length > 1) this.#held = Buffer.concat(parts);
    return length >= count;
  }
}
