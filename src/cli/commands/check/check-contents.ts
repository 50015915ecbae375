import { statfs } from "node:fs/promises";
import { inspectVault } from "../../../companies/vault.ts";
import type { Config } from "../../../config.ts";
import { findSchemaTrouble } from "../../../database/check-schema.ts";
import type { Database } from "../../../database/database.ts";
import { readDatabaseTime } from "../../../database/database-clock.ts";
import { readEnvironment } from "../../../database/environment.ts";
import { readPartitions } from "../../../database/read-diagnosis.ts";
import { findAuditState } from "../../../ledger/record-audit.ts";
import { type Check, ok, problem, warning } from "../../check.ts";

const hourMs = 3_600_000;
/** As the alert has it. */
const auditAgeMaxMs = 30 * hourMs;
const fullAuditAgeMaxMs = 9 * 24 * hourMs;
const skewMaxMs = 2_000;
const freeRatioMin = 0.2;

export async function checkSchemaAndKind(database: Database, config: Config): Promise<Check[]> {
  const trouble = await findSchemaTrouble(database);
  if (trouble !== undefined)
    return [problem("schema", trouble.problem, "Run `cauri migrate`, or the right version.")];
  const kind = await readEnvironment(database);
  if (kind !== undefined && kind !== config.environment)
    return [
      problem(
        "schema",
        `the database is a ${kind} one, and CAURI_ENV says ${config.environment}`,
        "Name the other database in DATABASE_URL, or set CAURI_ENV.",
      ),
    ];
  return [ok("schema", "as this version has it"), await checkPartitions(database)];
}

async function checkPartitions(database: Database): Promise<Check> {
  const tables = await readPartitions(database);
  const lacking = tables.filter(({ hasNow, hasNext }) => !hasNow || !hasNext);
  if (lacking.length === 0)
    return ok("partitions", `there for now and for what comes next, of ${tables.length} tables`);
  const names = lacking.map(({ name }) => name).join(", ");
  return warning(
    "partitions",
    `missing for now or for what comes next: ${names}`,
    "A node with the role worker makes them, at its start and every hour: start one, and look into its log.",
  );
}

export async function checkMasterKey(database: Database, config: Config): Promise<Check> {
  const { secrets, companies } = await inspectVault(database, config);
  return secrets === 0
    ? ok("master key", "it opens every secret")
    : problem(
        "master key",
        `it does not open ${secrets} secrets of ${companies} companies`,
        "Set the MASTER_KEY they were sealed with; see The master key in docs/operating.md.",
      );
}

export async function checkAudit(database: Database): Promise<Check> {
  const state = await findAuditState(database);
  const advice = "Run `cauri audit`, and let a scheduler run it every night.";
  if (state === undefined) return warning("audit", "there has been none", advice);
  if (state.differences > 0)
    return problem(
      "audit",
      `it found ${state.differences} differences, which no clean audit of everything has cleared`,
      "See CauriAuditDifferences in docs/runbook.md: this comes before everything else.",
    );
  const now = await readDatabaseTime(database);
  const said = `clean, ended at ${state.endedAt.toISOString()}`;
  if (now.getTime() - state.endedAt.getTime() > auditAgeMaxMs)
    return warning("audit", said, advice);
  if (now.getTime() - (state.fullEndedAt?.getTime() ?? 0) > fullAuditAgeMaxMs)
    return warning(
      "audit",
      `${said}; the last one of everything ended ${state.fullEndedAt?.toISOString() ?? "never"}`,
      "Run `cauri audit --full`, and let a scheduler run it every week.",
    );
  return ok("audit", said);
}

/** The middle of the question is when it was answered, give or take half of what it took. */
export async function checkClock(database: Database): Promise<Check> {
  const sentMs = Date.now();
  const theirs = await readDatabaseTime(database);
  const gotMs = Date.now();
  const skewMs = Math.round(theirs.getTime() - (sentMs + gotMs) / 2);
  const unsureMs = Math.ceil((gotMs - sentMs) / 2);
  const said = `this machine and the database are ${Math.abs(skewMs)} ms apart, give or take ${unsureMs}`;
  return Math.abs(skewMs) - unsureMs > skewMaxMs
    ? warning("clock", said, "Set both by NTP. The database's time decides.")
    : ok("clock", said);
}

/** Of this machine. How full the disk of another one is, PostgreSQL does not know. */
export async function checkDisk({ dataDir, databaseUrl }: Config): Promise<Check> {
  const what =
    databaseUrl === undefined
      ? "of the database"
      : "of DATA_DIR (the database's own is not known here)";
  try {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    const said = `${Math.round((100 * bavail) / blocks)} % free, ${Math.round((bavail * bsize) / 1e9)} GB: the disk ${what}`;
    return bavail / blocks < freeRatioMin
      ? warning("disk", said, "Make room, or enlarge it, before it is full.")
      : ok("disk", said);
  } catch (error) {
    const advice = "Make the folder, or name another in DATA_DIR.";
    return warning("disk", `${dataDir} cannot be looked at: ${(error as Error).message}`, advice);
  }
}
