interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly goodUntilMs: number;
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
    const entry = { value: look(), goodUntilMs: performance.now() + this.#lifetimeMs };
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= this.#entriesMax && oldest !== undefined)
      this.#entries.delete(oldest);
    this.#entries.set(key, entry);
    const drop = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    entry.value.then((found) => found === undefined && drop(), drop);
    return entry.value;
  }

  forgetAll(): void {
    this.#entries.clear();
  }
}
