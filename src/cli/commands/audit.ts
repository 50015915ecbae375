import { type AuditCheck, type AuditResult, audit } from "../../ledger/audit.ts";
import { tellAuditEnded } from "../../ledger/audit-news.ts";
import type { Context, Outcome } from "../context.ts";
import { toTable } from "../table.ts";

/** Exit code 1 on any difference, so that a scheduler notices. */
export async function auditCommand(
  { database, signals }: Context,
  checks: readonly AuditCheck[],
): Promise<Outcome> {
  const begunMs = performance.now();
  const results = await auditTwice(() => audit(database, checks));
  await tellAuditEnded(database, signals, results, (performance.now() - begunMs) / 1_000);
  const isClean = results.every(({ differences }) => differences.length === 0);
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
    isClean ? "The books are in order." : "THE BOOKS ARE NOT IN ORDER.",
  ];
  return {
    value: { clean: isClean, checks: results },
    text: lines.join("\n"),
    exitCode: isClean ? 0 : 1,
  };
}

/** A difference is looked at twice before it is an alarm: on a sharded database two sides may commit apart. */
async function auditTwice(run: () => Promise<AuditResult[]>): Promise<AuditResult[]> {
  const first = await run();
  return first.every(({ differences }) => differences.length === 0) ? first : run();
}
