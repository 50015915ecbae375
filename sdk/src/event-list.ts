import type { Events, ListEventsQuery } from "./api.ts";
import { UnexpectedAnswerError } from "./errors.ts";
import { sleep } from "./pause.ts";

/** What stands between may not let a request wait; nobody is asked without end for that. */
const emptyLeastMs = 1_000;

/**
 * What happened, in order. With `wait` it is followed for ever: `for await (const event of events({ after, wait: 30 }))`. Without,
 * it ends where nothing has happened yet. Keep the `sequence` of what you have handled, and go on after it.
 */
export class EventList implements AsyncIterable<Events["data"][number]> {
  readonly #query: ListEventsQuery;
  readonly #read: (query: ListEventsQuery) => Promise<Events>;
  readonly #signal: AbortSignal | undefined;

  constructor(
    query: ListEventsQuery,
    read: (query: ListEventsQuery) => Promise<Events>,
    signal?: AbortSignal,
  ) {
    this.#query = query;
    this.#read = read;
    this.#signal = signal;
  }

  /** The first page, or the one after a sequence that was kept. */
  async page(after?: number | string): Promise<Events> {
    const page = await this.#read({
      ...this.#query,
      ...(after === undefined ? {} : { after: String(after) }),
    });
    if (!Array.isArray(page.data) || !Number.isSafeInteger(page.lastSequence))
      throw new UnexpectedAnswerError("It does not tell events.", { status: 200 });
    return page;
  }

  /** Page after page; those in which nothing happened too. */
  async *pages(): AsyncGenerator<Events, void, undefined> {
    for (let after: number | undefined; ; ) {
      const askedMs = performance.now();
      const page = await this.page(after);
      if (after !== undefined && page.lastSequence < after)
        throw new UnexpectedAnswerError("The events go back.", { status: 200 });
      yield page;
      if (!this.#query.wait && !page.hasMore) return;
      // More of the same place would never end.
      const isStill = after === page.lastSequence || page.data.length === 0;
      if (isStill && performance.now() - askedMs < emptyLeastMs)
        await sleep(emptyLeastMs, this.#signal);
      after = page.lastSequence;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Events["data"][number], void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
