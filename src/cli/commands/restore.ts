import type { ArchiveHeader } from "../../backup/archive.ts";
import { ArchiveNeedsMasterKey, RestoredBooksWrong } from "../../backup/errors.ts";
import { checkArchive, restoreInto } from "../../backup/restore.ts";
import { keyFileOf, readSecretBox } from "../../companies/master-key.ts";
import { openVault } from "../../companies/vault.ts";
import { type Config, readConfig } from "../../config.ts";
import type { Database } from "../../database/database.ts";
import { openToFill } from "../../database/open-database.ts";
import { finishRestore } from "../../database/restore-mark.ts";
import { type AuditCheck, type AuditResult, audit } from "../../ledger/audit.ts";
import { auditLedgerKeys } from "../../statements/audit-keys.ts";
import { findLedgerKey } from "../../statements/ledger-key.ts";
import { type LastSeal, lastSeals } from "../../statements/list-seals.ts";
import { toSealResource } from "../../statements/seal-resource.ts";
import { type Outcome, withOpen } from "../context.ts";
import { describeSeals } from "../last-seals.ts";
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
      const own = await findLedgerKey(database, () => openVault(database, config));
      const keys = await auditLedgerKeys(database, own);
      return describe(path, archive.header, restored, await lastSeals(database), keys);
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
  seals: readonly LastSeal[],
  { differences }: AuditResult,
): Outcome {
  const resources = seals.map(({ seal }) => toSealResource(seal, seal.publicKey));
  return {
    value: {
      file: path,
      moment,
      environment,
      rows,
      migrations,
      notOurs,
      clean: true,
      lastSeals: resources,
      ledgerKeys: differences,
    },
    text: [
      `${rows} rows were restored as they were at ${moment}. The books are in order.`,
      ...migrations.map((name) => `Applied ${name}.`),
      ...(notOurs.length === 0
        ? []
        : [`Not restored, because they are none of Cauri's tables: ${notOurs.join(", ")}.`]),
      ...describeSeals(seals),
      ...differences.map(
        ({ where, expected, found }) =>
          `KEYS THAT ARE NOT KNOWN TO BE THE OPERATOR'S: ${where}: expected ${expected}, found ${found}. No day is sealed until they are: cauri ledger-key list.`,
      ),
      "Before the service starts, read what has to be done after a restore: docs/operating.md.",
    ].join("\n"),
  };
}
