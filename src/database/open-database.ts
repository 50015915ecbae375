import { checkLine, checkSchema } from "./check-schema.ts";
import { connectionUsesWithDefect, findCitusDefect, refuseWorker } from "./cluster.ts";
import { Database, type DatabaseOptions } from "./database.ts";
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

/** Connects to PostgreSQL, setting up the embedded one when no other is named, and brings the schema up to date. */
export async function openAndMigrate(
  options: OpenOptions,
  log: Log,
): Promise<OpenDatabase & { readonly applied: Applied }> {
  const open = await connect(options, log, keepTimelines);
  return closeOnFailure(open, async () => {
    await refuseUnfinished(open.database);
    const applied = await migrateUnhurried(open);
    // A restore that began in between has waited for the same lock, or has marked the database first.
    await refuseUnfinished(open.database);
    await recordEnvironment(open.database, options.environment);
    const names = [...applied.migrations, ...applied.functions];
    if (names.length > 0) log(`The database schema was brought up to date: ${names.join(", ")}.`);
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
  const open = await connectToExisting(options, log);
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
  const open = await connect(options, log);
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

async function connect(
  options: OpenOptions,
  log: Log,
  openTimelines: (dataDir: string, log: Log) => Promise<Timelines> = readTimelines,
): Promise<OpenDatabase> {
  const embedded =
    options.databaseUrl === undefined
      ? await startEmbedded({ dataDir: options.dataDir, log })
      : undefined;
  const url = options.databaseUrl ?? embedded?.url ?? "";
  // Of the embedded one there is one server, which nobody promotes.
  const timelines =
    embedded === undefined
      ? (options.timelines ?? (await openTimelines(options.dataDir, log)))
      : new Timelines();
  const settings: DatabaseOptions = {
    url,
    timelines,
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
async function migrateUnhurried({ url, database: { timelines } }: OpenDatabase): Promise<Applied> {
  const database = new Database({ url, timelines, poolSize: 1 });
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
}
