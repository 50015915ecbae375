/** Where a server stands in the history of its database. */
export interface Position {
  /** Names the database over all its servers and copies: what initdb made up. */
  readonly system: string;
  /** Counted up by every promotion of a standby. */
  readonly timeline: number;
}

/**
 * The newest timeline that was seen of each database. A promotion begins a timeline, so a server that takes writes on an
 * older one lacks what the others have acknowledged since: it was left behind and came back, or was put back from a
 * copy. Nothing is decided there.
 *
 * It cannot be kept in the database, which would go back as well: see docs/decisions/0131-a-database-that-went-back.md.
 */
export class Timelines {
  readonly #newest: Map<string, number>;
  readonly #onNew: (newest: ReadonlyMap<string, number>) => void;
  readonly #listeners = new Set<() => void>();
  #system: string | undefined;

  /** `onNew` is told of everything to be remembered. */
  constructor(
    known: Iterable<readonly [string, number]> = [],
    onNew: (newest: ReadonlyMap<string, number>) => void = () => {},
  ) {
    this.#newest = new Map(known);
    this.#onNew = onNew;
  }

  /** Of the database that this process works with; undefined before the first connection. */
  get newest(): number | undefined {
    return this.#system === undefined ? undefined : this.#newest.get(this.#system);
  }

  /** Why a server that takes writes at this position must not be used; undefined: it may be, and that is remembered. */
  problemWith({ system, timeline }: Position): string | undefined {
    if (this.#system !== undefined && this.#system !== system)
      return "belongs to another database than the one this process began with (its system identifier differs)";
    const newest = this.#newest.get(system) ?? 0;
    if (timeline < newest)
      return `went back in time: it is on timeline ${timeline}, and timeline ${newest} was seen. What was acknowledged since is not there`;
    this.#system = system;
    if (timeline > newest) this.#remember(system, timeline);
    return undefined;
  }

  /** What was seen so far, of each database. */
  get known(): [string, number][] {
    return [...this.#newest];
  }

  /** What another process of this node has seen. */
  learn(known: Iterable<readonly [string, number]>): void {
    for (const [system, timeline] of known)
      if (timeline > (this.#newest.get(system) ?? 0)) this.#remember(system, timeline);
  }

  /** Whether a newer timeline was seen since. */
  isPast({ system, timeline }: Position): boolean {
    return timeline < (this.#newest.get(system) ?? 0);
  }

  /** Called when a newer timeline was seen; returns what ends that. */
  onNewer(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #remember(system: string, timeline: number): void {
    // The one that was seen last comes last.
    this.#newest.delete(system);
    this.#newest.set(system, timeline);
    this.#onNew(this.#newest);
    for (const listener of this.#listeners) listener();
  }
}
