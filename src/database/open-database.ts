import { checkSchema } from "./check-schema.ts";
import { Database } from "./database.ts";
import { hasCluster } from "./embedded/layout.ts";
import { type EmbeddedServer, startEmbedded } from "./embedded/server.ts";
import { type Environment, recordEnvironment } from "./environment.ts";
import { NoDatabase } from "./errors.ts";
import { type Applied, migrate } from "./migrate.ts";

export interface OpenOptions {
  /** What this program is; a database of the other kind is not opened. */
  readonly environment: Environment;
  /** Undefined: the embedded PostgreSQL under dataDir. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  /** For one statement; undefined: no limit. */
  readonly databaseTimeoutMs?: number | undefined;
  readonly dataDir: string;
}

export interface OpenDatabase {
  readonly url: string;
  readonly database: Database;
  readonly embedded: EmbeddedServer | undefined;
  close(): Promise<void>;
}

type Log = (message: string) => void;

/** Connects to PostgreSQL, setting up the embedded one when no other is named, and brings the schema up to date. */
export async function openAndMigrate(
  options: OpenOptions,
  log: Log,
): Promise<OpenDatabase & { readonly applied: Applied }> {
  const open = await connect(options, log);
  return closeOnFailure(open, async () => {
    const applied = await migrateUnhurried(open.url);
    await recordEnvironment(open.database, options.environment);
    const names = [...applied.migrations, ...applied.functions];
    if (names.length > 0) log(`The database schema was brought up to date: ${names.join(", ")}.`);
    return { ...open, applied };
  });
}

/** Connects to a database that is there already and that this program can work with; makes and changes nothing. */
export async function openExisting(options: OpenOptions, log: Log): Promise<OpenDatabase> {
  if (options.databaseUrl === undefined && !(await hasCluster(options.dataDir)))
    throw new NoDatabase(options.dataDir);
  const open = await connect(options, log);
  return closeOnFailure(open, async () => {
    await checkSchema(open.database);
    await recordEnvironment(open.database, options.environment);
    return open;
  });
}

async function connect(options: OpenOptions, log: Log): Promise<OpenDatabase> {
  const embedded =
    options.databaseUrl === undefined
      ? await startEmbedded({ dataDir: options.dataDir, log })
      : undefined;
  const url = options.databaseUrl ?? embedded?.url ?? "";
  const database = new Database({
    url,
    poolSize: options.databasePoolSize,
    statementTimeoutMs: options.databaseTimeoutMs,
    onIdleError: (error) => log(`A database connection was lost: ${error.message}.`),
  });
  const close = async () => {
    await database.close();
    await embedded?.stop();
  };
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
async function migrateUnhurried(url: string): Promise<Applied> {
  const database = new Database({ url, poolSize: 1 });
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
}
