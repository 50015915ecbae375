import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import { DatabaseUnavailable, OutcomeUnknown, sqlState } from "./errors.ts";
import { sql } from "./sql.ts";

const limitDefaultMs = 5_000;
/** Whoever asks all the time, as anybody may, does not make the database commit all the time. */
const goodForDefaultMs = 100;
const hangingAfterMs = 500;
/** Proxies take a node that says nothing for half a second for one that hangs. */
const soonMs = 200;

/** Why the database cannot be written to. */
export interface Trouble {
  /** One word, for programs. */
  readonly reason: Reason;
  /** A sentence, for people. */
  readonly problem: string;
}

type Reason =
  | "connections_exhausted"
  | "disk_full"
  | "left_behind"
  | "not_committing"
  | "not_durable"
  | "read_only"
  | "schema"
  | "unreachable";

const readOnly: Trouble = { reason: "read_only", problem: "The database lets nobody write." };
const diskFull: Trouble = { reason: "disk_full", problem: "The disk of the database is full." };
/** By the SQLSTATEs that say what is the matter. */
const states: Readonly<Record<string, Trouble>> = {
  "25006": readOnly,
  "53100": diskFull,
  "53300": {
    reason: "connections_exhausted",
    problem: "The database has no connection left for this node: all of max_connections are taken.",
  },
};

interface ProbeOptions {
  readonly limitMs?: number;
  /** How long a commit stands for. Trouble is never taken for granted. */
  readonly goodForMs?: number;
}

interface Probe {
  readonly sinceMs: number;
  readonly trouble: Promise<Trouble | undefined>;
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
  async findTrouble(): Promise<Trouble | undefined> {
    if (performance.now() - this.#committedMs < this.#goodForMs) return undefined;
    const { sinceMs, trouble } = this.#begin();
    const leftMs = sinceMs + this.#limitMs - performance.now();
    if (leftMs <= 0) return this.#late;
    const late = Symbol("late");
    const first = await Promise.race([trouble, sleep(leftMs, late, { ref: false })]);
    return first === late ? this.#late : first;
  }

  /**
   * The same, with what `findFurther` looks for in a database that commits. Where something was committed within the limit, the answer
   * comes soon, and that commit counts. So a proxy can tell a node that hangs from one whose database is slow for a moment.
   */
  async findTroubleSoon(
    findFurther: () => Promise<Trouble | undefined>,
  ): Promise<Trouble | undefined> {
    const hasCommitted = !this.#hasFailed && performance.now() - this.#committedMs < this.#limitMs;
    const found = this.findTrouble().then((trouble) => trouble ?? findFurther());
    return hasCommitted ? Promise.race([found, sleep(soonMs, undefined, { ref: false })]) : found;
  }

  get #late(): Trouble {
    const problem = `The database has not committed anything for ${this.#limitMs / 1_000} seconds.`;
    return this.#findEmptyPool() ?? { reason: "not_committing", problem };
  }

  /** Whether all connections are in the hands of others, although the database takes what is written. */
  #findEmptyPool(): Trouble | undefined {
    const [own] = this.#database.connections;
    if (own === undefined || own.idle > 0 || own.inUse < own.max || this.#database.isWaiting)
      return undefined;
    const problem = `All ${own.max} connections of this node to the database are in use, and none becomes free.`;
    return { reason: "connections_exhausted", problem };
  }

  #begin(): Probe {
    this.#probe ??= { sinceMs: performance.now(), trouble: this.#commit() };
    return this.#probe;
  }

  async #commit(): Promise<Trouble | undefined> {
    try {
      await commitNothing(this.#database);
      if (await this.#database.disk.isFull(this.#database)) {
        this.#hasFailed = true;
        return diskFull;
      }
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

  #describe(error: unknown): Trouble {
    const { servers } = this.#database;
    if (servers.graveProblem !== undefined)
      return {
        reason: servers.hasLeftBehind ? "left_behind" : "not_durable",
        problem: `The database ${servers.graveProblem}.`,
      };
    if (error instanceof OutcomeUnknown)
      return { reason: "not_committing", problem: "The database did not confirm a commit." };
    if (!(error instanceof DatabaseUnavailable))
      return { reason: "not_committing", problem: "The database does not commit." };
    const told = states[stateBehind(error) ?? ""];
    if (told !== undefined) return told;
    if (servers.isReadOnly) return readOnly;
    return (
      this.#findEmptyPool() ?? { reason: "unreachable", problem: "The database cannot be reached." }
    );
  }
}

/** What PostgreSQL itself said, however often that was wrapped. */
function stateBehind(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return sqlState(error) ?? stateBehind(error.cause);
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
