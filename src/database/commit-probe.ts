import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import { DatabaseUnavailable, OutcomeUnknown, sqlState } from "./errors.ts";
import { sql } from "./sql.ts";

const limitDefaultMs = 5_000;
/** Whoever asks all the time, as anybody may, does not make the database commit all the time. */
const goodForDefaultMs = 100;
const hangingAfterMs = 500;
const readOnly = "25006";

interface ProbeOptions {
  readonly limitMs?: number;
  /** How long a commit stands for. Trouble is never taken for granted. */
  readonly goodForMs?: number;
}

interface Probe {
  readonly sinceMs: number;
  readonly problem: Promise<string | undefined>;
}

/**
 * Whether the database commits. It is asked to: reading a table works on a standby too, and while commits wait for one.
 * What is committed is a message in PostgreSQL's log that nobody reads. At most one is under way.
 */
export class CommitProbe {
  readonly #database: Database;
  readonly #limitMs: number;
  readonly #goodForMs: number;
  #probe: Probe | undefined;
  #hasFailed = false;
  #committedMs = Number.NEGATIVE_INFINITY;

  constructor(
    database: Database,
    { limitMs = limitDefaultMs, goodForMs = goodForDefaultMs }: ProbeOptions = {},
  ) {
    this.#database = database;
    this.#limitMs = limitMs;
    this.#goodForMs = goodForMs;
  }

  /**
   * Whether it is the database that holds everybody up: others do not come back, and neither does a commit that waits
   * for nobody's rows. Asking begins one, so that the first answers may be too good.
   */
  get isHanging(): boolean {
    if (!this.#database.isWaiting) return false;
    const { sinceMs } = this.#begin();
    return this.#hasFailed || performance.now() - sinceMs > hangingAfterMs;
  }

  /** Undefined: it does. Never takes longer than the limit. */
  async findProblem(): Promise<string | undefined> {
    if (performance.now() - this.#committedMs < this.#goodForMs) return undefined;
    const { sinceMs, problem } = this.#begin();
    const leftMs = sinceMs + this.#limitMs - performance.now();
    const late = `The database has not committed anything for ${this.#limitMs / 1_000} seconds.`;
    return leftMs <= 0 ? late : Promise.race([problem, sleep(leftMs, late, { ref: false })]);
  }

  #begin(): Probe {
    this.#probe ??= { sinceMs: performance.now(), problem: this.#commit() };
    return this.#probe;
  }

  async #commit(): Promise<string | undefined> {
    try {
      await commitNothing(this.#database);
      this.#hasFailed = false;
      this.#committedMs = performance.now();
      return undefined;
    } catch (error) {
      this.#hasFailed = true;
      return this.#describe(error);
    } finally {
      this.#probe = undefined;
    }
  }

  #describe(error: unknown): string {
    const grave = this.#database.servers.graveProblem;
    if (grave !== undefined) return `The database ${grave}.`;
    if (error instanceof OutcomeUnknown) return "The database did not confirm a commit.";
    if (!(error instanceof DatabaseUnavailable)) return "The database does not commit.";
    return sqlState(error.cause) === readOnly
      ? "The database lets nobody write."
      : "The database cannot be reached.";
  }
}

/**
 * A message may be written where nothing else may, so an update that finds no row comes with it: a connection that is
 * read-only refuses that, and is dropped.
 */
async function commitNothing(database: Database): Promise<void> {
  await database.execute(sql`
    with refused as (update installation set is_settled = is_settled where false)
    select pg_logical_emit_message(true, 'cauri', 'ready')`);
}
