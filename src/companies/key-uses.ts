import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { noteKeyUses } from "./credentials-store.ts";

interface Use {
  readonly companyId: string;
  readonly at: Date;
}

const writeEveryMs = 60_000;
/** A use that is known to within this is not written again, by whichever node. */
const apartMs = 5 * 60_000;
/** Between two writings; what is beyond is noted at its next use. */
const usesMax = 10_000;

/**
 * When keys were last used. Told by whoever looks a token up, which a node does once in half a minute for each that is in use:
 * no request waits for it, and no transaction of one knows of it. Written a company at a time, beside everything else.
 */
export class KeyUses {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #uses = new Map<string, Use>();
  readonly #written = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(database: Database, clock: Clock, logger: Logger) {
    this.#database = database;
    this.#clock = clock;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.write(), writeEveryMs);
    this.#timer.unref();
  }

  note(companyId: string, keyId: string): void {
    const at = this.#clock();
    if (at.getTime() - (this.#written.get(keyId) ?? 0) < apartMs) return;
    if (this.#uses.has(keyId) || this.#uses.size < usesMax)
      this.#uses.set(keyId, { companyId, at });
  }

  /** Writes down what was noted. What fails is noted again when the key is used again. */
  async write(): Promise<void> {
    const uses = [...this.#uses];
    this.#uses = new Map();
    if (this.#written.size > usesMax) this.#written.clear();
    for (const companyId of new Set(uses.map(([, use]) => use.companyId))) {
      const own = uses.flatMap(([keyId, use]) =>
        use.companyId === companyId ? [{ keyId, at: use.at }] : [],
      );
      try {
        await noteKeyUses(this.#database, companyId, own, apartMs);
        for (const { keyId, at } of own) this.#written.set(keyId, at.getTime());
      } catch (error) {
        this.#logger.info({ err: error, companyId }, "when keys were used was not written down");
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}
