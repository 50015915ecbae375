import { backUp } from "../../backup/back-up.ts";
import { refuseTaken } from "../../backup/write-archive.ts";
import { readConfig } from "../../config.ts";
import { openBeforeUpgrade } from "../../database/open-database.ts";
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
      },
      text: [
        `${path} has everything as it was at ${moment}: ${rows} rows of ${sums.length} tables, ${toMegabytes(bytes)}.`,
        masterKeys.length === 0
          ? "Nothing in it is sealed yet."
          : `The master key is not in it: keep the one with the fingerprint ${masterKeys.join(" and ")}, somewhere else.`,
      ].join("\n"),
    };
  });
}
