import type { Command } from "commander";
import { readConfig } from "../../config.ts";
import { shardsDefault } from "../../database/shard-database.ts";
import { parseSince } from "../clock.ts";
import { type AuditOptions, auditCommand } from "../commands/audit.ts";
import { backupCommand } from "../commands/backup.ts";
import { checkCommand } from "../commands/check/check.ts";
import { migrateCommand } from "../commands/migrate.ts";
import { type RestoreOptions, restoreCommand } from "../commands/restore.ts";
import { type ShardCommandOptions, shardCommand } from "../commands/shard.ts";
import { type TrailOptions, trailCommand } from "../commands/trail.ts";
import { parseCompanyId, parseLimit, parseShards, parseTrailId } from "../read-options.ts";
import { type Json, print, run, withJson } from "../run.ts";
import type { ProgramParts } from "../vocabulary.ts";

/** What is done with all of it: the service, its database, its books. */
export function addInstallationCommands(program: Command, parts: ProgramParts): void {
  withJson(program.command("serve").description("Run the service until SIGTERM or Ctrl-C")).action(
    () => parts.serve(readConfig(process.env)),
  );
  withJson(
    program.command("migrate").description("Bring the database schema up to date, then exit"),
  ).action(async (options: Json) => print(options, await migrateCommand()));
  withJson(
    program
      .command("check")
      .description(
        "Look for what is or will be wrong here, and say what to do; exit 1 on a problem",
      ),
  ).action(async (options: Json) => print(options, await checkCommand(process.env)));
  withJson(
    program
      .command("audit")
      .description(
        "Look for what is wrong in the books, since the last time; exit 1 on any difference",
      ),
  )
    .option("--full", "look at everything, whatever was looked at before")
    .option("--seals <file>", "compare with seals that were kept outside, too")
    .option("--progress", "tell how far it is although nobody sits at a terminal")
    .action(async (options: Json & AuditOptions) => {
      const checks = await parts.loadAuditChecks();
      await run(options, (context) => auditCommand(context, checks, options));
    });
  withJson(
    program
      .command("backup")
      .description("Write everything, as it is at one moment, to a file; the service may go on"),
  )
    .argument("<file>", "a new one")
    .action(async (file: string, options: Json) => print(options, await backupCommand(file)));
  withJson(
    program.command("restore").description("Make a database from a backup, where there is none"),
  )
    .argument("<file>", "what `cauri backup` has written")
    .option("--without-master-key", "although the key of its secrets is not at hand")
    .action(async (file: string, options: Json & RestoreOptions) =>
      print(options, await restoreCommand(file, options, await parts.loadAuditChecks())),
    );
  withJson(
    program
      .command("shard")
      .description(
        "Split the database by company over the nodes of its Citus; the service stands still",
      ),
  )
    .option("--shards <count>", "in how many parts, for good", parseShards, shardsDefault)
    .action(async (options: Json & ShardCommandOptions) =>
      print(options, await shardCommand(options, await parts.loadAuditChecks())),
    );
  withJson(program.command("trail").description("Who changed what, newest first"))
    .option("--company <id>", "of this company alone", parseCompanyId)
    .option("--since <moment>", "a day, a moment, or how long ago: 24h", parseSince)
    .option("--before <id>", "only what is older than this entry", parseTrailId)
    .option("--limit <count>", "how many", parseLimit, 50)
    .action((options: Json & TrailOptions) =>
      run(options, (context) => trailCommand(context, options)),
    );
}
