import { runAudit } from "../../audits/run-audit.ts";
import { readDatabaseTime } from "../../database/database-clock.ts";
import { type AuditCheck, isClean } from "../../ledger/audit.ts";
import { compareKeptSeals } from "../../statements/compare-kept-seals.ts";
import { findLedgerKey } from "../../statements/ledger-key.ts";
import { readWitness } from "../../statements/verify/read-witness.ts";
import { operator } from "../../trail/actor.ts";
import { showAuditProgress } from "../audit-progress.ts";
import type { Context, Outcome } from "../context.ts";
import { readable } from "../files.ts";
import { toTable } from "../table.ts";

export interface AuditOptions {
  /** A file of seals that were kept outside. */
  readonly seals?: string;
  /** Look at everything, and not only at what came since the last audit that was clean. */
  readonly full?: boolean;
  /** Tell on standard error how far it is, although that is no terminal. */
  readonly progress?: boolean;
}

/** Exit code 1 on any difference, so that a scheduler notices. */
export async function auditCommand(
  { database, openBox }: Pick<Context, "database" | "openBox">,
  checks: readonly AuditCheck[],
  options: AuditOptions = {},
): Promise<Outcome> {
  if (options.seals !== undefined) await readable(options.seals);
  const { seals } = await readWitness(options);
  const begunAt = await readDatabaseTime(database);
  const own = await findLedgerKey(database, openBox);
  const isTerminal = process.stderr.isTTY;
  const progress =
    isTerminal || options.progress === true ? showAuditProgress({ isTerminal }) : undefined;
  const { results, continuedFrom, isRecorded } = await runAudit(database, {
    checks,
    key: own,
    isFull: options.full === true,
    begunAt,
    operator: operator("audit").operator,
    onProgress: progress?.onProgress,
    besides: async () =>
      options.seals === undefined ? [] : [await compareKeptSeals(database, seals, own)],
  }).finally(() => progress?.stop());
  const clean = isClean(results);
  const lines = [
    toTable([
      ["CHECK", "EXAMINED", "DIFFERENCES"],
      ...results.map(({ check, examined, differences }) => [
        check,
        String(examined),
        String(differences.length),
      ]),
    ]),
    "",
    ...results.flatMap(({ check, differences }) =>
      differences.map(
        ({ where, expected, found }) =>
          `DIFFERENCE in "${check}": ${where}: expected ${expected}, found ${found}`,
      ),
    ),
    ...(isRecorded
      ? []
      : ["This could not be written down: metrics and alerts do not tell of it."]),
    continuedFrom === undefined
      ? "Everything was looked at."
      : `What came since audit ${continuedFrom} was looked at; --full looks at everything.`,
    clean ? "The books are in order." : "THE BOOKS ARE NOT IN ORDER.",
  ];
  return {
    value: {
      clean,
      recorded: isRecorded,
      full: continuedFrom === undefined,
      continuedFrom: continuedFrom ?? null,
      checks: results,
    },
    text: lines.join("\n"),
    exitCode: clean ? 0 : 1,
  };
}
