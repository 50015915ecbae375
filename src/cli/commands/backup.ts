import { backUp } from "../../backup/back-up.ts";
import { refuseTaken } from "../../backup/write-archive.ts";
import { readConfig } from "../../config.ts";
import type { Database } from "../../database/database.ts";
import { openBeforeUpgrade } from "../../database/open-database.ts";
import { operator } from "../../trail/actor.ts";
import { recordForInstallation } from "../../trail/record.ts";
import type { Fields } from "../../trail/trail.ts";
import { type Outcome, withOpen } from "../context.ts";
import { Tally, toMegabytes } from "../progress.ts";

export async function backupCommand(path: string): Promise<Outcome> {
  await refuseTaken(path);
  const config = readConfig(process.env);
  return withOpen(config, openBeforeUpgrade, async ({ database }) => {
    const tally = new Tally("rows");
    const { header, sums, bytes } = await backUp(database, {
      path,
      environment: config.environment,
      tell: (rows, textBytes) => tally.show(rows, textBytes),
    });
    tally.end();
    const rows = sums.reduce((sum, table) => sum + table.rows, 0);
    const { moment, environment, masterKeys, migrations } = header;
    const isNoted = await noteBackup(database, { moment, rows });
    return {
      value: {
        file: path,
        moment,
        environment,
        tables: sums.length,
        rows,
        bytes,
        migrations: migrations.length,
        masterKeys,
        noted: isNoted,
      },
      text: [
        `${path} has everything as it was at ${moment}: ${rows} rows of ${sums.length} tables, ${toMegabytes(bytes)}.`,
        masterKeys.length === 0
          ? "Nothing in it is sealed yet."
          : `The master key is not in it: keep the one with the fingerprint ${masterKeys.join(" and ")}, somewhere else.`,
        ...(isNoted ? [] : ["The backup is whole, but the audit log could not be told of it."]),
      ].join("\n"),
    };
  });
}

/** Who took a copy of everything belongs into the audit log, and `cauri check` tells by it how old the last one is. */
async function noteBackup(database: Database, to: Fields): Promise<boolean> {
  const entry = { action: "backup.made", subject: "installation", to } as const;
  // A backup is no less good on a database that lacks the table yet, or lets nobody write.
  return database
    .transaction((tx) => recordForInstallation(tx, operator("backup"), entry))
    .then(
      () => true,
      () => false,
    );
}
