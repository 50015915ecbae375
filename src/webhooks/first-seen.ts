/** Remembers when a company's events were seen first: the caller's time to read its answer runs from there. */
export class FirstSeen {
  /** Up to which number events were seen at which moment. */
  #moments: { readonly upTo: number; readonly atMs: number }[] = [];

  /** At this moment events up to one number were taken, and those up to another had happened. */
  note(taken: number, newest: number, atMs: number): void {
    this.#moments = this.#moments.filter(({ upTo }) => upTo > taken);
    if (newest > (this.#moments.at(-1)?.upTo ?? taken)) this.#moments.push({ upTo: newest, atMs });
  }

  /** When the event with this number was there at the latest. */
  atMsOf(number: number): number | undefined {
    return this.#moments.find(({ upTo }) => upTo >= number)?.atMs;
  }
}
