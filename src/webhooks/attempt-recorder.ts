import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import { groupBy } from "../kernel/group-by.ts";
import { type AttemptOutcome, recordAttempts } from "./deliveries-store.ts";

interface Recordable {
  readonly companyId: string;
  readonly claimId: string;
  readonly outcome: AttemptOutcome;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const setMax = 1_000;

/**
 * Writes outcomes down in sets: those that arrive while a set is being written go together in the next
 * one, as requests do on their way in. One flush to disk for all of them.
 */
export class AttemptRecorder {
  readonly #database: Database;
  readonly #logger: Logger;
  #waiting: Recordable[] = [];
  #running: Promise<void> | undefined;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Resolves when the outcome is on disk. */
  record(companyId: string, claimId: string, outcome: AttemptOutcome): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ companyId, claimId, outcome, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Outcomes not on disk yet. */
  get backlog(): number {
    return this.#waiting.length;
  }

  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const set = this.#waiting.splice(0, setMax);
      // In the order of companies, so that two nodes that write for the same ones never deadlock.
      const groups = [
        ...groupBy(set, ({ companyId, claimId }) => `${companyId}/${claimId}`).values(),
      ].toSorted(([a], [b]) => ((a?.companyId ?? "") < (b?.companyId ?? "") ? -1 : 1));
      try {
        await this.#write(groups);
      } catch (error) {
        this.#logger.warn(
          { err: error },
          "outcomes could not be written together; writing them one company at a time",
        );
        for (const group of groups)
          await this.#write([group]).catch((failure: unknown) => rejectAll(group, failure));
      }
    }
    this.#running = undefined;
  }

  async #write(groups: readonly (readonly Recordable[])[]): Promise<void> {
    await this.#database.transaction(async (tx) => {
      for (const group of groups) {
        const [first] = group;
        if (first !== undefined) {
          await recordAttempts(
            tx,
            first.companyId,
            first.claimId,
            group.map(({ outcome }) => outcome),
          );
        }
      }
    });
    for (const group of groups) for (const { resolve } of group) resolve();
  }
}

function rejectAll(group: readonly Recordable[], error: unknown): void {
  for (const recordable of group) recordable.reject(error);
}
