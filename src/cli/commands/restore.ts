import type { ArchiveHeader } from "../../backup/archive.ts";
import { ArchiveNeedsMasterKey, RestoredBooksWrong } from "../../backup/errors.ts";
import { checkArchive, restoreInto } from "../../backup/restore.ts";
import { keyFileOf, readSecretBox } from "../../companies/master-key.ts";
import { type Config, readConfig } from "../../config.ts";
import type { Database } from "../../database/database.ts";
import { openToFill } from "../../database/open-database.ts";
import { finishRestore } from "../../database/restore-mark.ts";
import { type AuditCheck, audit } from "../../ledger/audit.ts";
import { type Outcome, withOpen } from "../context.ts";
import { Progress } from "../progress.ts";

export interface RestoreOptions {
  readonly withoutMasterKey?: boolean;
}

const differencesShown = 10;

/** Into an empty database, or none at all. Whatever fails, nothing is left that a service would open. */
export async function restoreCommand(
  path: string,
  options: RestoreOptions,
  checks: readonly AuditCheck[],
): Promise<Outcome> {
  const config = readConfig(process.env);
  let reading: Progress | undefined;
  const archive = await checkArchive(path, config.environment, (done, total) => {
    reading ??= new Progress(total, "checked, bytes:");
    reading.show(done);
  });
  if (options.withoutMasterKey !== true) await refuseOtherKey(path, config, archive.header);
  const total = archive.sums.reduce((sum, { rows }) => sum + rows, 0);

  return withOpen(config, openToFill, async (open) => {
    const { database, embedded } = open;
    try {
      const loading = new Progress(total, "restored, rows:");
      const restored = await restoreInto(database, archive, (rows) => loading.show(rows));
      await refuseWrongBooks(path, database, checks, embedded !== undefined);
      await finishRestore(database);
      return describe(path, archive.header, restored);
    } catch (error) {
      await open.discard();
      throw error;
    }
  });
}

/** Told before anything is made: who has restored everything and cannot open it would begin once more. */
async function refuseOtherKey(
  path: string,
  config: Config,
  { masterKeys }: ArchiveHeader,
): Promise<void> {
  const given = (await readSecretBox(config))?.fingerprints ?? [];
  if (masterKeys.every((key) => given.includes(key))) return;
  throw new ArchiveNeedsMasterKey(path, { needed: masterKeys, given, file: keyFileOf(config) });
}

async function refuseWrongBooks(
  path: string,
  database: Database,
  checks: readonly AuditCheck[],
  isRemoved: boolean,
): Promise<void> {
  const found = (await audit(database, checks)).flatMap(({ check, differences }) =>
    differences.map(
      ({ where, expected, found: there }) =>
        `"${check}": ${where}: expected ${expected}, found ${there}`,
    ),
  );
  if (found.length > 0)
    throw new RestoredBooksWrong(path, found.slice(0, differencesShown), isRemoved);
}

function describe(
  path: string,
  { moment, environment }: ArchiveHeader,
  { rows, migrations, notOurs }: Awaited<ReturnType<typeof restoreInto>>,
): Outcome {
  return {
    value: { file: path, moment, environment, rows, migrations, notOurs, clean: true },
    text: [
      `${rows} rows were restored as they were at ${moment}. The books are in order.`,
      ...migrations.map((name) => `Applied ${name}.`),
      ...(notOurs.length === 0
        ? []
        : [`Not restored, because they are none of Cauri's tables: ${notOurs.join(", ")}.`]),
      "Before the service starts, read what has to be done after a restore: docs/operating.md.",
    ].join("\n"),
  };
}
