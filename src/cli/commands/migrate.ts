import { readConfig } from "../../config.ts";
import { openAndMigrate } from "../../database/open-database.ts";
import { type Outcome, withOpen } from "../context.ts";
import { say } from "../say.ts";

/** The only command that changes the schema, apart from the service's own start. */
export function migrateCommand(): Promise<Outcome> {
  const open: typeof openAndMigrate = (options, log) => openAndMigrate(options, log, say);
  return withOpen(readConfig(process.env), open, async ({ applied }) => {
    const lines = [
      ...applied.migrations.map((name) => `Applied ${name}.`),
      ...applied.functions.map((file) => `Renewed the functions of ${file}.`),
    ];
    return {
      value: applied,
      text: [...lines, "The database schema is up to date."].join("\n"),
    };
  });
}
