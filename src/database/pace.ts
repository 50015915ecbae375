/** Whether what is sent to be written comes back. */
export class Pace {
  #underWay = 0;
  /** When something last came back, or, after a pause, was sent. */
  #movedMs = 0;

  /** For one write: what begins and ends with it. */
  async during<Result>(write: () => Promise<Result>): Promise<Result> {
    if (this.#underWay === 0) this.#movedMs = performance.now();
    this.#underWay += 1;
    try {
      return await write();
    } finally {
      this.#underWay -= 1;
      this.#movedMs = performance.now();
    }
  }

  /** For how long nothing has come back although something is under way. */
  get stalledMs(): number {
    return this.#underWay === 0 ? 0 : performance.now() - this.#movedMs;
  }
}
