import { isIP } from "node:net";
import type { Config } from "../../../config.ts";
import { Durability } from "../../../database/durability.ts";
import type { ServerDiagnosis } from "../../../database/read-diagnosis.ts";
import { parseDatabaseUrl } from "../../../kernel/database-url.ts";
import { type Check, ok, problem, skipped, warning } from "../../check.ts";

const hourMs = 3_600_000;
const archiveAgeMaxMs = hourMs;
/** A day, and what a backup takes. */
const backupAgeMaxMs = 26 * hourMs;
/** Beside the pools: the connection that listens for signals, of each process. */
const listeningPerProcess = 1;

/** What has to be mended in production is worth knowing in staging. */
function graver(config: Pick<Config, "environment">) {
  return config.environment === "production" ? problem : warning;
}

export function checkDurability(
  config: Pick<Config, "environment" | "lossesAccepted">,
  server: ServerDiagnosis,
  serverCount: number,
): Check {
  const name = "durability";
  const accepted = config.lossesAccepted;
  const judge = new Durability({ isRequired: true, accepted, needsStandby: true });
  const found = judge.problemWith(server, serverCount);
  if (found !== undefined)
    return graver(config)(
      name,
      `the database ${found}`,
      "See Durability in docs/operating.md. A reload of PostgreSQL takes it over.",
    );
  return accepted.size > 0
    ? warning(
        name,
        `it is accepted that payments may be lost without ${[...accepted].join(", ")}`,
        "Take the names out of PAYMENTS_MAY_BE_LOST_WITHOUT as soon as the database has them.",
      )
    : ok(name, "what was acknowledged is on disk");
}

export function checkRole(
  config: Pick<Config, "environment">,
  { role, isSuperuser, ownsTables }: ServerDiagnosis,
): Check {
  const name = "role";
  if (isSuperuser)
    return graver(config)(
      name,
      `${role} is a superuser: whoever gets its password has the whole server`,
      "Make the roles of deploy/postgresql/make-roles.sh, and name the smaller one in DATABASE_URL.",
    );
  return ok(name, ownsTables ? `${role}, which owns the tables` : `${role}, which owns no table`);
}

export function checkStandbys(server: ServerDiagnosis, serverCount: number): Check {
  const name = "standbys";
  if (serverCount === 1 && server.synchronous_standby_names === "")
    return skipped(name, "DATABASE_URL names one server, and it waits for no other");
  if (!server.seesStandbys)
    return skipped(name, "this role is not told (grant pg_read_all_stats to it)");
  return server.standbys > 0
    ? ok(name, `${server.standbys} confirm commits`)
    : problem(
        name,
        `no standby confirms commits (synchronous_standby_names: ${server.synchronous_standby_names || "empty"})`,
        "Start them or make them anew: with the primary's machine payments would be lost, or commits wait now.",
      );
}

export function checkConnections(
  { databasePoolSize }: Pick<Config, "databasePoolSize">,
  processes: number,
  server: ServerDiagnosis,
): Check {
  const name = "connections";
  const own = 2 * databasePoolSize + (processes + 1) * listeningPerProcess;
  const free = server.connectionsMax - server.connectionsReserved;
  const said = `a node opens up to ${own}, PostgreSQL takes ${free}, ${server.connectionsUsed} are open now`;
  if (own > free)
    return problem(name, said, "Raise max_connections, or lower DATABASE_POOL_SIZE on every node.");
  return 2 * own > free
    ? warning(name, said, "A second node does not fit: raise max_connections before you start it.")
    : ok(name, said);
}

export function checkEncryption(
  config: Pick<Config, "environment">,
  url: string,
  { isEncrypted }: ServerDiagnosis,
): Check {
  const name = "encryption";
  const hosts = parseDatabaseUrl(url)?.hosts ?? [];
  const isHere = hosts.every((host) => isThisMachine(new URL(host.url).hostname));
  if (new URL(hosts[0]?.url ?? url).searchParams.get("sslmode") === "no-verify")
    return graver(config)(
      name,
      "sslmode=no-verify trusts every certificate",
      "Use sslmode=verify-full, with sslrootcert for an authority of your own.",
    );
  if (isEncrypted === true) return ok(name, "the connection to the database is encrypted");
  return isHere
    ? ok(name, "the database is on this machine")
    : graver(config)(
        name,
        "the connection to the database is not encrypted",
        "Set ssl = on in PostgreSQL and sslmode=verify-full in DATABASE_URL (docs/production.md).",
      );
}

function isThisMachine(host: string): boolean {
  const isLoopback = isIP(host) === 4 && host.startsWith("127.");
  return host === "" || host === "localhost" || host === "[::1]" || isLoopback;
}

/** Of an archive of the log, when it was last written to; without one, when `cauri backup` was last run. */
export function checkBackup(
  server: ServerDiagnosis,
  lastBackup: Date | undefined,
  now: Date,
): Check {
  const name = "backup";
  const { archivedAt, archiveFailedAt, archiveFailures } = server;
  if (!server.isArchiving) {
    const last =
      lastBackup === undefined
        ? "there has been no `cauri backup`"
        : `the last \`cauri backup\` was at ${lastBackup.toISOString()}`;
    return lastBackup === undefined || now.getTime() - lastBackup.getTime() > backupAgeMaxMs
      ? warning(
          name,
          `PostgreSQL archives no log, and ${last}`,
          "Set up deploy/backup, or let a scheduler run `cauri backup` every day; restore one now and then.",
        )
      : ok(name, `${last}; what came since is in the database alone`);
  }
  if (archiveFailedAt !== null && (archivedAt === null || archiveFailedAt > archivedAt))
    return problem(
      name,
      `the last try to archive the log failed (${archiveFailures} in all)`,
      "Look into PostgreSQL's log: without an archive the disk fills up, and nothing can be restored to a moment.",
    );
  if (archivedAt === null || now.getTime() - archivedAt.getTime() > archiveAgeMaxMs)
    return warning(
      name,
      `nothing was archived since ${archivedAt?.toISOString() ?? "the server began"}`,
      "Set archive_timeout, so that a quiet hour is archived too.",
    );
  return ok(name, `the log was archived last at ${archivedAt.toISOString()}`);
}
