import { kinds } from "./act.ts";
import type { World } from "./world.ts";

/** What was tried and what was done, so that a campaign in which everything is refused does not pass for a good one. */
export class Tally {
  #tried = 0;
  readonly #done = new Map<string, number>(kinds.map((kind) => [kind, 0]));

  add({ tried, done }: World): void {
    this.#tried += tried;
    for (const [kind, times] of done) this.#done.set(kind, (this.#done.get(kind) ?? 0) + times);
  }

  get counts(): Readonly<Record<string, number>> {
    return { tried: this.#tried, ...Object.fromEntries(this.#done) };
  }

  /** What nobody ever succeeded in. */
  get missing(): string[] {
    return [...this.#done].filter(([, times]) => times === 0).map(([kind]) => kind);
  }
}
