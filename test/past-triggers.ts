import type { Tx } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";

/** From here on no trigger refuses anything in this transaction: what only a superuser can do. */
export async function passTriggers(tx: Tx): Promise<void> {
  // On a cluster the nodes are told too; elsewhere it says nothing to anybody.
  await tx.query(sql`set local citus.propagate_set_commands = 'local'`);
  await tx.query(sql`set local session_replication_role = replica`);
}
