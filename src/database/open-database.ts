import {
  acceptableLosses,
  type DurabilityName,
  lossesSetting,
} from "../kernel/durability-names.ts";
import { checkLine, checkSchema, mayChangeSchema } from "./check-schema.ts";
import { connectionUsesWithDefect, findCitusDefect, refuseWorker } from "./cluster.ts";
import type { Tell } from "./concurrent-steps.ts";
import { Database, type DatabaseOptions } from "./database.ts";
import { Durability } from "./durability.ts";
import { removeCluster } from "./embedded/cluster.ts";
import { hasCluster } from "./embedded/layout.ts";
import { type EmbeddedServer, startEmbedded } from "./embedded/server.ts";
import { type Environment, recordEnvironment } from "./environment.ts";
import { DatabaseNotEmpty, NoDatabase } from "./errors.ts";
import { type Applied, migrate } from "./migrate.ts";
import { reachDatabase } from "./reach-database.ts";
import { beginRestore, refuseUnfinished } from "./restore-mark.ts";
import { Timelines } from "./timelines.ts";
import { keepTimelines, readTimelines } from "./timelines-file.ts";

export interface OpenOptions {
  /** What this program is; a database of the other kind is not opened. */
  readonly environment: Environment;
  /** Undefined: the embedded PostgreSQL under dataDir. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  /** How long to wait until one of its servers lets us write; by default each is tried once. */
  readonly databaseWaitMs?: number;
  /** For one statement; undefined: no limit. */
  readonly databaseTimeoutMs?: number | undefined;
  readonly dataDir: string;
  /** Settings of the servers that may be lacking, although acknowledged payments can be lost without them. */
  readonly lossesAccepted?: ReadonlySet<DurabilityName>;
  /** Undefined: what earlier processes have written down in dataDir. */
  readonly timelines?: Timelines;
}

export interface OpenDatabase {
  readonly url: string;
  readonly database: Database;
  readonly embedded: EmbeddedServer | undefined;
  close(): Promise<void>;
}

/** `isGrave`: somebody has to do something. */
export type Log = (message: string, isGrave?: boolean) => void;

/**
 * Connects to PostgreSQL, setting up the embedded one when no other is named, and brings the schema up to date, if its role may: one that
 * only serves needs it to be so already. `tell` hears of what takes long.
 */
export async function openAndMigrate(
  options: OpenOptions,
  log: Log,
  tell: Tell = log,
): Promise<OpenDatabase & { readonly applied: Applied }> {
  const { environment, lossesAccepted = new Set() } = options;
  if (environment === "production" && lossesAccepted.size > 0)
    log(
      `Payments that were acknowledged may be lost: the database need not have ${[...lossesAccepted].join(", ")}, because ${lossesSetting} says so.`,
      true,
    );
  const open = await connect(options, log, { isStart: true });
  return closeOnFailure(open, async () => {
    await refuseUnfinished(open.database);
    const applied = (await mayChangeSchema(open.database))
      ? await migrateUnhurried(open, tell)
      : await migratedBefore(open.database);
    // A restore that began in between has waited for the same lock, or has marked the database first.
    await refuseUnfinished(open.database);
    await recordEnvironment(open.database, environment);
    const names = [...applied.migrations, ...applied.functions];
    // Of a new database nobody asks which: all of them.
    if (names.some((name) => name.startsWith("0001_"))) log("The database schema was made.");
    else if (names.length > 0)
      log(`The database schema was brought up to date: ${names.join(", ")}.`);
    return { ...open, applied };
  });
}

/** Connects to a database that is there already and that this program can work with; makes and changes nothing. */
export async function openExisting(options: OpenOptions, log: Log): Promise<OpenDatabase> {
  const open = await connectToExisting(options, log);
  return closeOnFailure(open, async () => {
    await checkSchema(open.database);
    await recordEnvironment(open.database, options.environment);
    return open;
  });
}

/** The same for a database that may lack what is new in this program: a backup is made before an upgrade. */
export async function openBeforeUpgrade(options: OpenOptions, log: Log): Promise<OpenDatabase> {
  const open = await connectToExisting(withoutDemands(options), log);
  return closeOnFailure(open, async () => {
    await checkLine(open.database);
    return open;
  });
}

export interface DatabaseToFill extends OpenDatabase {
  /** Closes it and removes the embedded database that was made; another one stays, marked as not finished. */
  discard(): Promise<void>;
}

/** Connects to an empty database, making the embedded one, and takes it for a restore. */
export async function openToFill(options: OpenOptions, log: Log): Promise<DatabaseToFill> {
  const { databaseUrl, dataDir } = options;
  if (databaseUrl === undefined && (await hasCluster(dataDir)))
    throw new DatabaseNotEmpty(`a database in ${dataDir}`);
  const open = await connect(withoutDemands(options), log);
  await closeOnFailure(open, () => beginRestore(open.database));
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= open.close();
    return closing;
  };
  const discard = async () => {
    await close();
    if (open.embedded !== undefined) await removeCluster(dataDir);
  };
  return { ...open, close, discard };
}

async function connectToExisting(options: OpenOptions, log: Log): Promise<OpenDatabase> {
  if (options.databaseUrl === undefined && !(await hasCluster(options.dataDir)))
    throw new NoDatabase(options.dataDir);
  const open = await connect(options, log);
  await closeOnFailure(open, () => refuseUnfinished(open.database));
  return open;
}

/** What a backup reads, and a restore writes that can be done again, is not lost with the server. */
function withoutDemands(options: OpenOptions): OpenOptions {
  return { ...options, lossesAccepted: new Set(acceptableLosses) };
}

/** `isStart`: of a service, or of a node's migration, and not of one command or process more. */
async function connect(
  options: OpenOptions,
  log: Log,
  { isStart } = { isStart: false },
): Promise<OpenDatabase> {
  const embedded =
    options.databaseUrl === undefined
      ? await startEmbedded({ dataDir: options.dataDir, log })
      : undefined;
  const url = options.databaseUrl ?? embedded?.url ?? "";
  // Of the embedded one there is one server, which nobody promotes.
  const timelines =
    embedded === undefined
      ? (options.timelines ??
        (await (isStart ? keepTimelines : readTimelines)(options.dataDir, log)))
      : new Timelines();
  const durability = new Durability({
    isRequired: options.environment === "production",
    accepted: options.lossesAccepted,
    needsStandby: isStart,
  });
  const settings: DatabaseOptions = {
    url,
    timelines,
    durability,
    poolSize: options.databasePoolSize,
    statementTimeoutMs: options.databaseTimeoutMs,
    onIdleError: (error) => log(`A database connection was lost: ${error.message}.`),
    onGraveProblem: (message) => log(message, true),
  };
  let database = new Database(settings);
  const close = async () => {
    await database.close();
    await embedded?.stop();
  };
  await closeOnFailure({ url, database, embedded, close }, async () => {
    await reachDatabase(database, options.databaseWaitMs ?? 0, log);
    durability.needsStandby = false;
    await refuseWorker(database);
    const defect = await findCitusDefect(database);
    if (defect === undefined) return;
    log(defect, true);
    await database.close();
    database = new Database({ ...settings, connectionUsesMax: connectionUsesWithDefect });
  });
  return { url, database, embedded, close };
}

async function closeOnFailure<Result>(
  open: OpenDatabase,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** A migration of much data, or the wait for another node's, takes the time it takes. */
async function migrateUnhurried(
  { url, database: open }: OpenDatabase,
  tell: Tell,
): Promise<Applied> {
  const { timelines, durability } = open;
  // One connection builds an index, the other tells how far it is.
  const database = new Database({ url, timelines, durability, poolSize: 2 });
  try {
    return await migrate(database, undefined, tell);
  } finally {
    await database.close();
  }
}

/** Throws DatabaseTooOld. */
async function migratedBefore(database: Database): Promise<Applied> {
  await checkSchema(database);
  return { migrations: [], functions: [] };
}
