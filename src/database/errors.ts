import { DomainError } from "../kernel/domain-error.ts";
import type { Sentence } from "../kernel/language.ts";
import { OperatorError } from "../kernel/operator-error.ts";

const cannotBeReached: Sentence = {
  en: "The service cannot reach its database right now. Nothing was changed; try again shortly.",
  fr: "Le service ne peut pas joindre sa base de données. Rien n’a été changé, réessayez dans un instant.",
};

/** The database could not be reached, or refused before anything was written. */
export class DatabaseUnavailable extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "database_unavailable" as string;

  constructor(options?: ErrorOptions, said = cannotBeReached) {
    super(said, options);
  }
}

/**
 * The database is there, and what was sent to be written does not come back: it waits for its standby, its disk or a
 * lock. Whoever comes now is not sent after it.
 */
export class DatabaseWaiting extends DatabaseUnavailable {
  override readonly code = "database_waiting";

  constructor(options?: ErrorOptions) {
    super(options, {
      en: "The database takes long to confirm what is written. Nothing was changed for this request; try again shortly.",
      fr: "La base de données tarde à confirmer ce qui est écrit. Rien n’a été changé pour cette requête, réessayez dans un instant.",
    });
  }
}

/**
 * The connection broke while a commit was on its way: it may have happened or not. Never reported as a
 * success or as a failure.
 */
export class OutcomeUnknown extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "outcome_unknown";

  constructor(options?: ErrorOptions) {
    super(
      {
        en: "The service cannot tell yet whether this request took effect. Send it again with the same reference or Idempotency-Key: it will not happen twice.",
        fr: "Le service ne sait pas encore si cette requête a pris effet. Renvoyez-la avec la même référence ou la même Idempotency-Key, elle ne sera pas exécutée deux fois.",
      },
      options,
    );
  }
}

/** A server that is away, or is not the primary; another one may be. */
export class UnusableServer extends Error {
  /** What is in the way, as the end of a sentence that begins with the server's name. */
  readonly problem: string;
  /** It takes writes and must not: nothing that mends itself. */
  readonly isGrave: boolean;

  constructor(name: string, problem: string, options?: ErrorOptions & { isGrave?: boolean }) {
    super(`${name} ${problem}`, options);
    this.problem = problem;
    this.isGrave = options?.isGrave === true;
  }
}

/** None of the servers that DATABASE_URL names can be used. */
export class DatabaseUnreachable extends OperatorError {
  constructor(problems: readonly string[], waitedMs: number, options?: ErrorOptions) {
    const waited =
      waitedMs === 0 ? "" : ` It was tried for ${Math.round(waitedMs / 1_000)} seconds.`;
    super(
      `The service cannot reach its database.${waited}${problems.map((problem) => `\n  - ${problem}.`).join("")}`,
      options,
    );
  }
}

/** What earlier processes have seen of the database is there and cannot be read. */
export class UnreadableTimelines extends OperatorError {
  constructor(path: string, options?: ErrorOptions) {
    super(
      `${path} cannot be read, or is damaged. It keeps the newest timeline of the database, by which one that went back in time is noticed. Put it back, or remove it if the database is the right one.`,
      options,
    );
  }
}

/** Nothing has been set up yet, and the command at hand sets nothing up. */
export class NoDatabase extends OperatorError {
  constructor(dataDir: string) {
    super(
      `There is no database in ${dataDir}. Start the service once, or run \`cauri migrate\`: both make one. ` +
        "If there is one elsewhere, name it in DATA_DIR or DATABASE_URL.",
    );
  }
}

/** Test money and real money never meet: a database is of one kind for ever. */
export class WrongEnvironment extends OperatorError {
  constructor(recorded: string, given: string) {
    super(
      `This database is a ${recorded} one, and CAURI_ENV says ${given}. Set CAURI_ENV=${recorded}, or name the ${given} database in DATABASE_URL (or DATA_DIR).`,
    );
  }
}

/** The database has migrations that this program neither knows nor can work with. */
export class DatabaseTooNew extends OperatorError {
  constructor(found: number, known: number) {
    super(
      `The database is at migration ${found}, this program knows ${known}. ` +
        "It was upgraded by a newer version of Cauri: run that version, or restore a backup made before the upgrade.",
    );
  }
}

/** The database lacks migrations or functions of this program, and the command at hand does not apply any. */
export class DatabaseTooOld extends OperatorError {
  /** Where the role of this program may not bring it up to date, who may. */
  constructor(missing: string, roles?: { readonly role: string; readonly owner: string }) {
    super(
      `The database lacks ${missing} of this version of Cauri. ${
        roles === undefined
          ? "Run `cauri migrate`, or start the service: both bring it up to date."
          : `The role ${roles.role} may not bring it up to date: run \`cauri migrate\` with a DATABASE_URL of the role ${roles.owner} (docs/production.md, Two roles).`
      }`,
    );
  }
}

/** The database was made by other migrations than this program's, not by fewer or more of the same. */
export class DatabaseOfAnotherLine extends OperatorError {
  constructor(recorded: string, known: string) {
    const difference =
      recorded === known
        ? `its migration ${recorded} differs from the one in this program`
        : `it has the migration ${recorded} where this program has ${known}`;
    super(
      `The database was made by a development version of Cauri: ${difference}. ` +
        "Data of development versions cannot be carried over: name a new database in DATABASE_URL, or a new folder in DATA_DIR.",
    );
  }
}

/** A restore makes a database from nothing; it never adds to one. */
export class DatabaseNotEmpty extends OperatorError {
  constructor(found: string, isServed = false) {
    super(
      `The database is not empty: there is ${found}${isServed ? ", and a service or command of Cauri is using it" : ""}. Nothing was changed. ` +
        "Name an empty one in DATABASE_URL, or another folder in DATA_DIR.",
    );
  }
}

/** What a restore has left behind that was killed, or that found the books not in order. */
export class UnfinishedRestore extends OperatorError {
  constructor() {
    super(
      "A restore into this database is under way, or was not finished: what is in it cannot be used. If none is running, " +
        "make the database anew (of the embedded one: remove the folder postgres in DATA_DIR), then restore again.",
    );
  }
}

/** Somebody else has kept a table locked for as long as the migration was willing to wait. */
export class TableKeptLocked extends OperatorError {
  constructor(options?: ErrorOptions) {
    super(
      "The database could not be upgraded: another connection keeps a table locked (a backup, an audit?). " +
        "What is missing was not applied; try again when that is done.",
      options,
    );
  }
}

interface PostgresError extends Error {
  readonly code: string;
}

/** The five-character SQLSTATE of an error that PostgreSQL itself reported. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, severity } = error as Partial<PostgresError> & { severity?: unknown };
  return typeof code === "string" && code.length === 5 && typeof severity === "string"
    ? code
    : undefined;
}

/**
 * States in which PostgreSQL is there but cannot work: shutting down or starting (57P), out of
 * connections, memory or disk (53), read-only after a failover (25006), a broken connection (08), a
 * statement that took too long and was cancelled (57014).
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof UnusableServer) return true;
  const state = sqlState(error);
  if (state === undefined) return isBrokenConnection(error);
  return /^(?:57P|57014|53|08|58|25006|25P03)/.test(state);
}

/** The other end went away, so nobody knows how far a statement got. */
export function isBrokenConnection(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(?:57P0[1235]|25P03|08)/.test(state);
  // What we say ourselves may well speak of connections and timeouts.
  if (!(error instanceof Error) || error instanceof DomainError) return false;
  const { code } = error as Partial<PostgresError>;
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return true;
  return /connection|timeout|terminated|not queryable/i.test(error.message);
}

/** Transactions that stood in each other's way; the one that was ended wrote nothing. */
export function isDeadlock(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

/**
 * A statement that was prepared before a migration gave its result other columns. PostgreSQL refuses it before
 * it does anything, and goes on refusing it on that connection. (0A000 stands for more, which no statement of
 * ours runs into; it would merely be tried twice.)
 */
export function isOutdatedStatement(error: unknown): boolean {
  return sqlState(error) === "0A000";
}

export class NotACluster extends OperatorError {
  constructor() {
    super(
      "The database of DATABASE_URL has no Citus: it can be split only where its server has the extension and this database " +
        "made use of it (create extension citus). Nothing was changed. docs/scaling.md tells how nodes are set up.",
    );
  }
}

/** A worker of Citus: it holds some companies' rows and refuses what changes the schema, and knows nothing of our migrations. */
export class NotTheCoordinator extends OperatorError {
  constructor() {
    super(
      "DATABASE_URL names a worker of the cluster, and has to name its coordinator: the node on which the others were added " +
        "(citus_add_node). Nothing was changed.",
    );
  }
}

export class NodesMissing extends OperatorError {
  constructor(problems: readonly string[]) {
    super(
      `The cluster is not ready: ${problems.join("; ")}. Nothing was changed. Every node has to be known to the coordinator ` +
        "(citus_add_node) and answer, and DATABASE_URL has to name the coordinator.",
    );
  }
}

export class AlreadySharded extends OperatorError {
  constructor() {
    super(
      "The database is split by company already. Nothing was changed; `cauri migrate` puts what is new where it belongs.",
    );
  }
}

export class DatabaseServed extends OperatorError {
  constructor(options?: ErrorOptions) {
    super(
      "A service or another command of Cauri is using the database. Nothing was changed: stop them all, and try again.",
      options,
    );
  }
}

export class ShardingNotAllowed extends OperatorError {
  constructor() {
    super(
      "The role of DATABASE_URL may not split the database. Nothing was changed. A superuser lets it with " +
        "`grant set on parameter session_replication_role to <role>`, on every node.",
    );
  }
}

export class UnclassifiedTables extends OperatorError {
  constructor(tables: readonly string[]) {
    super(
      `Where the rows of ${tables.join(", ")} belong on a cluster is not known. Nothing was changed. A table that is not ` +
        "Cauri's belongs into another schema or database.",
    );
  }
}

export class ShardingFailed extends OperatorError {
  constructor(problems: readonly string[]) {
    super(`The database was not split, and is as it was: ${problems.join("; ")}.`);
  }
}
