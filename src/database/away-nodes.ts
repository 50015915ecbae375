import type { Database } from "./database.ts";
import { DatabaseUnavailable } from "./errors.ts";
import type { Timelines } from "./timelines.ts";

/** Nodes of a database that is split which do not answer, and the companies that wait for them. */
export class AwayNodes {
  #companiesOf: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  readonly #listeners = new Set<() => void>();

  get count(): number {
    return this.#companiesOf.size;
  }

  has(node: string): boolean {
    return this.#companiesOf.has(node);
  }

  concerns(companyId: string): boolean {
    for (const companies of this.#companiesOf.values()) if (companies.has(companyId)) return true;
    return false;
  }

  replace(companiesOf: ReadonlyMap<string, ReadonlySet<string>>): void {
    this.#companiesOf = companiesOf;
    if (companiesOf.size > 0) for (const listener of this.#listeners) listener();
  }

  /** What was asked of all nodes; not waited for any longer once one of them turns out to be away. */
  async unlessAway<Answer>(asked: Promise<Answer>): Promise<Answer> {
    let listener = () => {};
    const turnedOut = new Promise<never>((_, reject) => {
      listener = () => reject(new DatabaseUnavailable());
    });
    this.#listeners.add(listener);
    try {
      return await Promise.race([asked, turnedOut]);
    } finally {
      this.#listeners.delete(listener);
    }
  }
}

/** A pool and its forks have their timelines in common, and so what is known of the nodes. */
const known = new WeakMap<Timelines, AwayNodes>();

/** None, where nobody watches (`watchNodes`). */
export function awayNodesOf({ timelines }: Database): AwayNodes {
  let nodes = known.get(timelines);
  if (nodes === undefined) {
    nodes = new AwayNodes();
    known.set(timelines, nodes);
  }
  return nodes;
}
