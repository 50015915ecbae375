import { readConfig } from "../../config.ts";
import { findCitusDefect } from "../../database/cluster.ts";
import { openExisting } from "../../database/open-database.ts";
import { shardDatabase } from "../../database/shard-database.ts";
import { type AuditCheck, audit } from "../../ledger/audit.ts";
import { type Outcome, withOpen } from "../context.ts";
import { Progress } from "../progress.ts";

export interface ShardCommandOptions {
  readonly shards: number;
}

/** All or nothing; then the books are looked at, where they are now. Exit code 1 if they are not in order. */
export function shardCommand(
  { shards }: ShardCommandOptions,
  checks: readonly AuditCheck[],
): Promise<Outcome> {
  return withOpen(readConfig(process.env), openExisting, async ({ database }) => {
    let moving: Progress | undefined;
    const { nodes, tables, functions, rows } = await shardDatabase(database, {
      shards,
      tell(done, total) {
        moving ??= new Progress(total, "in their place, rows:");
        moving.show(done);
      },
    });
    const warning = await findCitusDefect(database);
    const results = await audit(database, checks);
    const wrong = results.filter(({ differences }) => differences.length > 0);
    const isClean = wrong.length === 0;
    return {
      value: { nodes, shards, tables, functions, rows, clean: isClean, warning: warning ?? null },
      text: [
        `${rows} rows of ${tables} tables are split by company in ${shards} parts on ${nodes.join(", ")}.`,
        ...(warning === undefined ? [] : [`WARNING: ${warning}`]),
        ...wrong.map(({ check }) => `DIFFERENCE in "${check}": see cauri audit.`),
        isClean ? "The books are in order." : "THE BOOKS ARE NOT IN ORDER.",
      ].join("\n"),
      exitCode: isClean ? 0 : 1,
    };
  });
}
