import type { Queryable } from "../database/database.ts";
import type { Banner } from "./banner.ts";
import { selectBanner } from "./banner-store.ts";

/** However often pages are opened, the database is asked no more often than this. */
const keptMs = 2_000;

/** What this process knows of the banner, at most two seconds old. */
export class BannerBoard {
  readonly #database: Queryable;
  readonly #nowMs: () => number;
  #known: Banner | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(database: Queryable, nowMs = () => performance.now()) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /** As it is shown at this moment. It never fails: a page is not worth less for a banner that could not be read. */
  async read(now: Date): Promise<Banner | undefined> {
    if (this.#nowMs() - this.#readAtMs >= keptMs) {
      this.#reading ??= this.#look().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.latest(now);
  }

  /** The same without a look at the database, for pages that say it is away. */
  latest(now: Date): Banner | undefined {
    return this.#known !== undefined && this.#known.endsAt > now ? this.#known : undefined;
  }

  /** It was just changed here: the next page looks. */
  forget(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }

  async #look(): Promise<void> {
    const at = this.#nowMs();
    try {
      this.#known = await selectBanner(this.#database);
    } catch {
      // What was known still is, until its end.
    }
    this.#readAtMs = at;
  }
}
