import { UnexpectedAnswerError } from "./errors.ts";

/** Rows of a list, and where it goes on. */
export interface Page<Row> {
  readonly count: number;
  readonly limit: number;
  readonly cursor: { readonly prev: string | null; readonly next: string | null };
  readonly data: readonly Row[];
}

/** A list that is read as far as it is looked at: `for await (const row of list)`. */
export class List<Row, OnePage extends Page<Row> = Page<Row>> implements AsyncIterable<Row> {
  readonly #read: (cursor: string | undefined) => Promise<OnePage>;

  constructor(read: (cursor: string | undefined) => Promise<OnePage>) {
    this.#read = read;
  }

  /** The first page, or the one of a cursor that was kept. */
  async page(cursor?: string): Promise<OnePage> {
    const page = await this.#read(cursor);
    if (!Array.isArray(page.data) || typeof page.cursor !== "object" || page.cursor === null)
      throw new UnexpectedAnswerError("That is no page of a list.", { status: 200 });
    return page;
  }

  /** Page after page, to the end. */
  async *pages(): AsyncGenerator<OnePage, void, undefined> {
    const seen = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const page = await this.page(cursor);
      yield page;
      const { next } = page.cursor;
      if (typeof next !== "string") return;
      // A list that leads back to itself would never end.
      if (seen.has(next))
        throw new UnexpectedAnswerError("The list goes in circles.", { status: 200 });
      seen.add(next);
      cursor = next;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
