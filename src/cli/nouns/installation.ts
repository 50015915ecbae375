import type { Command } from "commander";
import { readConfig } from "../../config.ts";
import { auditCommand } from "../commands/audit.ts";
import { migrateCommand } from "../commands/migrate.ts";
import { type TrailOptions, trailCommand } from "../commands/trail.ts";
import type { ProgramParts } from "../program.ts";
import { parseCompanyId, parseLimit, parseMoment, parseTrailId } from "../read-options.ts";
import { type Json, print, run, withJson } from "../run.ts";

/** What is done with all of it: the service, its database, its books. */
export function addInstallationCommands(program: Command, parts: ProgramParts): void {
  withJson(program.command("serve").description("Run the service until SIGTERM or Ctrl-C")).action(
    () => parts.serve(readConfig(process.env)),
  );
  withJson(
    program.command("migrate").description("Bring the database schema up to date, then exit"),
  ).action(async (options: Json) => print(options, await migrateCommand()));
  withJson(
    program.command("audit").description("Recompute every balance; exit 1 on any difference"),
  ).action(async (options: Json) => {
    const checks = await parts.loadAuditChecks();
    await run(options, (context) => auditCommand(context, checks));
  });
  withJson(program.command("trail").description("Who changed what, newest first"))
    .option("--company <id>", "of this company alone", parseCompanyId)
    .option("--since <moment>", "a moment, or how long ago: 24h", parseMoment)
    .option("--before <id>", "only what is older than this entry", parseTrailId)
    .option("--limit <count>", "how many", parseLimit, 50)
    .action((options: Json & TrailOptions) =>
      run(options, (context) => trailCommand(context, options)),
    );
}
