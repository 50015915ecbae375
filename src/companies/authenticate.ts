import { timingSafeEqual } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import type { Company } from "./company.ts";
import { accessTokenChannel, hashToken } from "./credentials.ts";
import { selectTokenCompany } from "./credentials-store.ts";
import { selectCompany } from "./store.ts";

const cacheLifetimeMs = 30_000;
const cacheEntriesMax = 10_000;
const tokenShape = /^at_[A-Za-z0-9_-]{43}$/;

interface Entry {
  readonly hash: Buffer;
  readonly company: Company;
  readonly goodUntilMs: number;
}

/**
 * Bearer token → company. Known tokens are kept in memory for half a minute, but only while this node is
 * told of revocations: with the listening connection down, every request asks the database, and when it is up
 * again nothing is remembered from before.
 */
export class Authenticator {
  readonly #database: Database;
  readonly #signals: Signals;
  readonly #entries = new Map<string, Entry>();
  /** Counts what made the cache stale, so that a lookup that was under way meanwhile is not kept. */
  #changes = 0;

  constructor(database: Database, signals: Signals) {
    this.#database = database;
    this.#signals = signals;
    const forget = () => {
      this.#changes += 1;
      this.#entries.clear();
    };
    signals.on(accessTokenChannel, forget);
    signals.onListening(forget);
  }

  async findCompany(accessToken: string): Promise<Company | undefined> {
    if (!tokenShape.test(accessToken)) return undefined;
    const hash = hashToken(accessToken);
    const cached = this.#cached(hash);
    if (cached !== undefined) return cached;

    const changesBefore = this.#changes;
    const found = await selectTokenCompany(this.#database, hash);
    // The lookup is by hash, so timing tells nothing of the token; the comparison costs nothing extra.
    if (found === undefined || !timingSafeEqual(found.token_hash, hash)) return undefined;
    const company = await selectCompany(this.#database, found.company_id);
    if (company === undefined) return undefined;

    if (this.#signals.isListening && changesBefore === this.#changes) {
      const lifetimeMs = Math.min(cacheLifetimeMs, found.ends_in_ms ?? cacheLifetimeMs);
      if (this.#entries.size >= cacheEntriesMax) this.#entries.clear();
      this.#entries.set(hash.toString("hex"), {
        hash,
        company,
        goodUntilMs: performance.now() + lifetimeMs,
      });
    }
    return company;
  }

  #cached(hash: Buffer): Company | undefined {
    if (!this.#signals.isListening) {
      this.#entries.clear();
      return undefined;
    }
    const entry = this.#entries.get(hash.toString("hex"));
    if (entry === undefined || entry.goodUntilMs < performance.now()) return undefined;
    return timingSafeEqual(entry.hash, hash) ? entry.company : undefined;
  }
}
