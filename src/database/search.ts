/** How long a failure stands for: whoever comes meanwhile gets the same one. */
const failureStandsForMs = 100;

/**
 * A search that one does on behalf of all who need what it finds. While a primary is being replaced every request would
 * otherwise ask each server for itself, several times a second, and take from those servers what they need to replace it.
 */
export class Search {
  #underWay: Promise<unknown> | undefined;
  #failure: { readonly error: unknown; readonly atMs: number } | undefined;

  /** Looks, unless somebody else does or just did. Whoever waited for a search that succeeded looks without delay. */
  async run<Found>(look: () => Promise<Found>): Promise<Found> {
    if (this.#underWay !== undefined) {
      await this.#underWay;
      return look();
    }
    if (this.#failure !== undefined && performance.now() - this.#failure.atMs < failureStandsForMs)
      throw this.#failure.error;
    const looking = look();
    this.#underWay = looking;
    try {
      const found = await looking;
      this.#failure = undefined;
      return found;
    } catch (error) {
      this.#failure = { error, atMs: performance.now() };
      throw error;
    } finally {
      this.#underWay = undefined;
    }
  }
}
