import type { Next } from "./request-source.ts";

const findingsMax = 60;
const excerptLength = 400;

/** What was found, once for each operation, breakage and problem, with the first request that showed it. */
export class Complaints {
  readonly #seed: number;
  readonly #found = new Map<string, { readonly finding: string; times: number }>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  get count(): number {
    return this.#found.size;
  }

  add(number: number, { operation, breakage, request }: Next, problem: string): void {
    const key = `${operation.id} ${breakage.name} ${problem.slice(0, 40)}`;
    const known = this.#found.get(key);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    const excerpt = JSON.stringify(request.bytes.toString("latin1", 0, excerptLength));
    this.#found.set(key, {
      finding: `${operation.id}, ${breakage.name} (request ${number} of seed ${this.#seed}): ${problem}; sent ${excerpt}`,
      times: 1,
    });
  }

  findings(): string[] {
    const all = [...this.#found.values()].map(({ finding, times }) =>
      times === 1 ? finding : `${times} times ${finding}`,
    );
    const more = all.length - findingsMax;
    return more > 0 ? [...all.slice(0, findingsMax), `and ${more} more of the kind`] : all;
  }
}
