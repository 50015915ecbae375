/** Whether what is sent to be written comes back. */
export class Pace {
  /** When each write that is under way was sent, the first one first. */
  readonly #sent = new Set<{ readonly ms: number }>();
  /** When something last came back, or, after a pause, was sent. */
  #movedMs = 0;

  /** For one write: what begins and ends with it. */
  async during<Result>(write: () => Promise<Result>): Promise<Result> {
    const sent = { ms: performance.now() };
    if (this.#sent.size === 0) this.#movedMs = sent.ms;
    this.#sent.add(sent);
    try {
      return await write();
    } finally {
      this.#sent.delete(sent);
      this.#movedMs = performance.now();
    }
  }

  /** For how long nothing has come back although something is under way. */
  get stalledMs(): number {
    return this.#sent.size === 0 ? 0 : performance.now() - this.#movedMs;
  }

  /** For how long the first of those under way has been: others that change nothing may come back meanwhile. */
  get longestMs(): number {
    const [first] = this.#sent;
    return first === undefined ? 0 : performance.now() - first.ms;
  }
}
