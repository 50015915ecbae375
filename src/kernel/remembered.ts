interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly goodUntilMs: number;
  /** Undefined while it is being looked up. */
  found: Value | undefined;
}

/**
 * What was looked up by key, kept for a while so that it is not looked up again for every request. Callers who
 * come while a lookup is under way share it. A lookup that fails or finds nothing (undefined) is not kept, nor
 * is one that was under way when everything was forgotten: it may have read what held before the change.
 */
export class Remembered<Value> {
  readonly #entriesMax: number;
  readonly #lifetimeMs: number;
  /** In the order in which they were looked up, so that the first is the one to make room. */
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(entriesMax: number, lifetimeMs = Number.POSITIVE_INFINITY) {
    this.#entriesMax = entriesMax;
    this.#lifetimeMs = lifetimeMs;
  }

  get(key: string, look: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    if (known !== undefined && known.goodUntilMs > performance.now()) return known.value;
    const entry: Entry<Value> = {
      value: look(),
      goodUntilMs: performance.now() + this.#lifetimeMs,
      found: undefined,
    };
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= this.#entriesMax && oldest !== undefined)
      this.#entries.delete(oldest);
    this.#entries.set(key, entry);
    const drop = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    const keep = (found: Value) => {
      entry.found = found;
      if (found === undefined) drop();
    };
    entry.value.then(keep, drop);
    return entry.value;
  }

  /** What is remembered already. It saves those who come often a promise each time. */
  peek(key: string): Value | undefined {
    const known = this.#entries.get(key);
    return known !== undefined && known.goodUntilMs > performance.now() ? known.found : undefined;
  }

  forgetAll(): void {
    this.#entries.clear();
  }
}
