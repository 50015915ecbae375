import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { SignedCheckpoint } from "./checkpoint.ts";

export async function selectLastCheckpoint(
  database: Queryable,
): Promise<SignedCheckpoint | undefined> {
  const rows = await database.query<SignedCheckpoint>(sql`
    select audit_number as "auditNumber", full_audit as "fullAudit", content, key_id as "keyId", signature
    from audit_checkpoints order by audit_number desc limit 1`);
  return rows[0];
}

export async function insertCheckpoint(tx: Tx, checkpoint: SignedCheckpoint): Promise<void> {
  const { auditNumber, fullAudit, content, keyId, signature } = checkpoint;
  await tx.query(sql`
    insert into audit_checkpoints (audit_number, full_audit, content, key_id, signature)
    values (${auditNumber}, ${fullAudit}, ${content}, ${keyId}, ${signature})`);
}
