import type { Client } from "../traffic/client.ts";
import { readList, readPage } from "../traffic/read-list.ts";

interface Row {
  readonly id: string;
  readonly createdAt: string;
}

/** A caller that reads a list again and again to hear of everything that was added to it. */
export abstract class Poller {
  readonly client: Client;
  readonly path: string;
  readonly seen = new Set<string>();
  /** Ids that were shown again where the list promises not to. */
  readonly twice = new Set<string>();
  abstract readonly way: string;

  constructor(client: Client, path: string) {
    this.client = client;
    this.path = path;
  }

  /** Reads what is new since the last time. */
  abstract poll(): Promise<void>;

  /** What it should have seen and did not, and what it saw twice, each as one sentence. */
  verify(added: ReadonlySet<string>): string[] {
    const name = `a poller of ${this.path} that follows ${this.way}`;
    const missed = [...added].filter((id) => !this.seen.has(id));
    return [
      ...(missed.length === 0
        ? []
        : [`${name} missed ${missed.length} of ${added.size}, ${missed[0]} for one`]),
      ...(this.twice.size === 0
        ? []
        : [`${name} saw ${this.twice.size} twice, ${[...this.twice][0]} for one`]),
    ];
  }
}

/** Asks for everything since the newest `createdAt` it knows, that moment included. */
export class TimePoller extends Poller {
  override readonly way = "createdFrom";
  #newest: string | undefined;

  override async poll(): Promise<void> {
    const walk = new Set<string>();
    const query = { createdFrom: this.#newest };
    for await (const { id, createdAt } of readList<Row>(this.client, this.path, query)) {
      if (walk.has(id)) this.twice.add(id);
      walk.add(id);
      this.seen.add(id);
      // Times of one format and zone: the later one is the greater text.
      if (this.#newest === undefined || createdAt > this.#newest) this.#newest = createdAt;
    }
  }
}

/** Follows `cursor.prev`, towards the newer rows. Where there are none yet, it asks with the same cursor again. */
export class CursorPoller extends Poller {
  override readonly way = "cursor.prev";
  #cursor: string | undefined;
  /** What the present cursor has shown: until the next cursor these rows come again with every poll. */
  #shown = new Set<string>();

  override async poll(): Promise<void> {
    for (;;) {
      this.#cursor ??= await this.#firstCursor();
      const { data, cursor } = await readPage<Row>(this.client, this.path, {
        cursor: this.#cursor,
      });
      for (const { id } of data) {
        if (this.#shown.has(id)) continue;
        if (this.seen.has(id)) this.twice.add(id);
        this.#shown.add(id);
        this.seen.add(id);
      }
      if (cursor.prev === null) return;
      this.#cursor = cursor.prev;
      this.#shown = new Set();
    }
  }

  /** The newest page has no `prev`; the one behind it does. Takes two rows to be there. */
  async #firstCursor(): Promise<string> {
    const newest = await readPage<Row>(this.client, this.path, { limit: "1" });
    const before = await readPage<Row>(this.client, this.path, {
      limit: "1",
      cursor: newest.cursor.next ?? undefined,
    });
    if (before.cursor.prev === null) throw new Error(`${this.path} has no cursor towards the new`);
    for (const { id } of before.data) this.seen.add(id);
    return before.cursor.prev;
  }
}
