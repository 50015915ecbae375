import type { Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** Until the commit nobody else uses a code of this person. */
export async function lockSecondFactor(
  tx: Tx,
  personId: string,
): Promise<{ readonly sealed: Buffer | null; readonly step: number } | undefined> {
  const [row] = await tx.query<{ sealed: Buffer | null; step: number }>(sql`
    select totp_sealed as sealed, totp_step as step from people where person_id = ${personId} for update`);
  return row;
}

/** Uses a code up: true for the first who comes with one of this step or a newer one. */
export async function takeStep(tx: Tx, personId: string, step: number): Promise<boolean> {
  const rows = await tx.query(sql`
    update people set totp_step = ${step} where person_id = ${personId} and totp_step < ${step} returning 1`);
  return rows.length === 1;
}

export async function updateSecondFactor(
  tx: Tx,
  personId: string,
  sealed: Buffer | null,
  step: number,
): Promise<void> {
  await tx.query(sql`
    update people set totp_sealed = ${sealed}, totp_step = ${step} where person_id = ${personId}`);
}

export async function replaceRecoveryCodes(
  tx: Tx,
  personId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query(sql`delete from recovery_codes where person_id = ${personId}`);
  await tx.query(sql`
    insert into recovery_codes (person_id, code_hash)
    select ${personId}::uuid, x.hash from unnest(${hashes}::bytea[]) as x(hash)`);
}

/** True for the first who comes with it. */
export async function takeRecoveryCode(tx: Tx, personId: string, hash: Buffer): Promise<boolean> {
  const rows = await tx.query(sql`
    update recovery_codes set used_at = now()
    where person_id = ${personId} and code_hash = ${hash} and used_at is null returning 1`);
  return rows.length === 1;
}

export async function countRecoveryCodes(tx: Tx, personId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from recovery_codes where person_id = ${personId} and used_at is null`);
  return row?.count ?? 0;
}
