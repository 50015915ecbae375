import { Database } from "./database.ts";
import { type EmbeddedServer, startEmbedded } from "./embedded/server.ts";
import { type Applied, migrate } from "./migrate.ts";

export interface OpenOptions {
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

/** Connects to PostgreSQL, starting the embedded one when no other is named, and brings the schema up to date. */
export async function openDatabase(
  options: OpenOptions,
  log: (message: string) => void,
): Promise<OpenDatabase> {
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
  try {
    const { migrations, functions } = await migrateUnhurried(url);
    const applied = [...migrations, ...functions];
    if (applied.length > 0)
      log(`The database schema was brought up to date: ${applied.join(", ")}.`);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, database, embedded, close };
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
