import { availableParallelism } from "node:os";
import type { Config } from "../../../config.ts";
import { readDatabaseTime } from "../../../database/database-clock.ts";
import { type OpenDatabase, openBeforeUpgrade } from "../../../database/open-database.ts";
import { readDiagnosis } from "../../../database/read-diagnosis.ts";
import { OperatorError } from "../../../kernel/operator-error.ts";
import type { Settings } from "../../../settings-reader.ts";
import { findLastOfInstallation } from "../../../trail/read-trail.ts";
import { type Check, ok, outcomeOf, problem, skipped } from "../../check.ts";
import { type Outcome, withOpen } from "../../context.ts";
import {
  checkAudit,
  checkClock,
  checkDisk,
  checkMasterKey,
  checkSchemaAndKind,
} from "./check-contents.ts";
import {
  checkBackup,
  checkConnections,
  checkDurability,
  checkEncryption,
  checkRole,
  checkStandbys,
} from "./check-server.ts";
import { checkSecretFiles, checkSettings } from "./check-settings.ts";

/** The operator's diagnosis: everything that can be known from here without changing anything, and what to do about it. */
export async function checkCommand(environment: Settings): Promise<Outcome> {
  const { config, checks } = checkSettings(environment);
  if (config === undefined)
    return outcomeOf([...checks, skipped("database", "the settings come first")]);
  const before = [...checks, await checkSecretFiles(config, environment), await checkDisk(config)];
  try {
    return await withOpen(config, openBeforeUpgrade, async (open) =>
      outcomeOf([...before, ...(await checkDatabase(open, config))]),
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const check = problem("database", error.message, "The rest of the checks needs it.");
    return outcomeOf([...before, check]);
  }
}

async function checkDatabase({ database, url }: OpenDatabase, config: Config): Promise<Check[]> {
  const server = await readDiagnosis(database);
  const { count, current } = database.servers;
  const inside = await checkSchemaAndKind(database, config);
  const isOurs = inside.every(({ state }) => state !== "problem");
  return [
    ok("database", `PostgreSQL ${server.version} at ${current.name}`),
    checkEncryption(config, url, server),
    checkRole(config, server),
    checkDurability(config, server, count),
    checkStandbys(server, count),
    checkConnections(config, processesOf(config), server),
    await checkClock(database),
    checkBackup(
      server,
      isOurs ? await findLastOfInstallation(database, "backup.made") : undefined,
      await readDatabaseTime(database),
    ),
    ...inside,
    ...(isOurs ? [await checkMasterKey(database, config), await checkAudit(database)] : []),
  ];
}

/** As many as a service would start here; `auto` is one for each core at most. */
function processesOf({ processes }: Config): number {
  return processes === "auto" ? availableParallelism() : processes;
}
