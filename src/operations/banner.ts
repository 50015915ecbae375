import type { Database, Queryable } from "../database/database.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForPerson } from "../trail/record.ts";
import { endBannerNow, selectBanner, upsertBanner } from "./banner-store.ts";

/** info: something to know. warning: something is disturbed. outage: something does not work. */
export const severities = ["info", "warning", "outage"] as const;
export type Severity = (typeof severities)[number];

/** What everybody at the console is told of an incident. */
export interface Banner {
  readonly severity: Severity;
  readonly fr: string;
  readonly en: string;
  readonly shownAt: Date;
  readonly endsAt: Date;
}

export interface NewBanner extends Pick<Banner, "severity" | "fr" | "en"> {
  /** How long it is shown. */
  readonly minutes: number;
}

export const bannerTextMax = 500;
/** However often pages are opened, the database is asked no more often than this. */
const keptMs = 2_000;

/** Shows it on every page, on every node within seconds, in place of what was shown before. */
export function setBanner(database: Database, banner: NewBanner, by: ConsolePerson): Promise<void> {
  return database.transaction(async (tx) => {
    await upsertBanner(tx, by.personId, banner);
    await recordForPerson(tx, by.personId, by, { action: "banner.set", to: { ...banner } });
  });
}

/** False when none was shown. */
export function endBanner(database: Database, by: ConsolePerson): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await endBannerNow(tx))) return false;
    await recordForPerson(tx, by.personId, by, { action: "banner.ended" });
    return true;
  });
}

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
