import type { Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/**
 * One digest of everything that the person `p` signs in with, worked out from the rows. All of it is random or stretched, so that the
 * digest tells nobody what it is; and it changes when any of it is replaced, removed or added.
 */
export const digestOfCredentials = sql`encode(sha256(convert_to(concat_ws(' ',
  'password', p.password, 'code', encode(p.totp_sealed, 'hex'),
  'recovery', (
    select string_agg(encode(r.code_hash, 'hex'), ' ' order by r.code_hash) from recovery_codes r where r.person_id = p.person_id),
  'passkeys', (
    select string_agg(encode(k.credential_id, 'hex') || ' ' || encode(k.public_key, 'hex'), ' ' order by k.credential_id)
    from passkeys k where k.person_id = p.person_id)), 'UTF8')), 'hex')`;

/** Undefined where there is no such person. */
export async function selectDigestOfCredentials(
  tx: Tx,
  personId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ digest: string }>(sql`
    select ${digestOfCredentials} as digest from people p where p.person_id = ${personId}`);
  return row?.digest;
}
