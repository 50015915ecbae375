import { openVault } from "../companies/vault.ts";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../database/database.ts";
import { type OpenDatabase, type OpenOptions, openExisting } from "../database/open-database.ts";
import { Signals } from "../database/signals.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { say } from "./say.ts";

/** What a command is handed: an open installation, whether its service is running or not. */
export interface Context {
  readonly config: Config;
  readonly database: Database;
  readonly signals: Signals;
  /** For what seals a secret; nothing else needs, makes or reads a master key. */
  readonly openBox: () => Promise<SecretBox>;
}

export interface Outcome {
  /** What --json prints: exactly one JSON value. */
  readonly value: unknown;
  /** What a person reads. */
  readonly text: string;
  readonly exitCode?: number;
}

/** Joins the running embedded server, or starts one and stops it again afterwards. */
export async function withContext(work: (context: Context) => Promise<Outcome>): Promise<Outcome> {
  const config = readConfig(process.env);
  return withOpen(config, openExisting, async (open) =>
    work({
      config,
      database: open.database,
      signals: new Signals(open.url, open.database),
      openBox: () => openVault(open.database, config),
    }),
  );
}

/** Opens the database in the way that is asked for, and closes it when the work is done. */
export async function withOpen<Open extends OpenDatabase>(
  config: Config,
  openDatabase: (options: OpenOptions, log: (message: string) => void) => Promise<Open>,
  work: (open: Open) => Promise<Outcome>,
): Promise<Outcome> {
  // Nobody waits for a command as for a request, and an audit reads everything: no limit of time.
  const options = {
    ...config,
    databasePoolSize: 2,
    databaseTimeoutMs: undefined,
    databaseWaitMs: 0,
  };
  const open = await openDatabase(options, (message) => {
    if (config.logLevel === "debug" || config.logLevel === "trace") say(message);
  });
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}
