import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { KeptKey } from "./key-bindings.ts";
import type { PublicLedgerKey } from "./seal.ts";

/** False when it is there already. */
export async function insertLedgerKey(
  tx: Tx,
  { id, publicKey }: PublicLedgerKey,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into ledger_keys as k (id, public_key) values (${id}, ${Buffer.from(publicKey, "base64")})
    on conflict (id) do nothing returning k.id`);
  return rows.length > 0;
}

/** Oldest first. There is one for each time that the master key was lost, and whatever else somebody has put there. */
export async function selectLedgerKeys(database: Queryable): Promise<KeptKey[]> {
  const rows = await database.query<{
    id: string;
    public_key: Buffer;
    created_at: Date;
    created_text: string;
    predecessor: string | null;
    mac: Buffer | null;
  }>(sql`
    select k.id, k.public_key, k.created_at, b.predecessor, b.mac,
      to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_text
    from ledger_keys k left join ledger_key_bindings b on b.key_id = k.id
    order by k.created_at, k.id`);
  return rows.map((row) => ({
    id: row.id,
    publicKey: row.public_key.toString("base64"),
    createdAt: row.created_at,
    createdText: row.created_text,
    binding: row.mac === null ? undefined : { predecessor: row.predecessor, mac: row.mac },
  }));
}

export async function upsertBinding(
  tx: Tx,
  keyId: string,
  predecessor: string | null,
  mac: Buffer,
): Promise<void> {
  await tx.query(sql`
    insert into ledger_key_bindings as b (key_id, predecessor, mac) values (${keyId}, ${predecessor}, ${mac})
    on conflict (key_id) do update set predecessor = excluded.predecessor, mac = excluded.mac
    where b.mac <> excluded.mac`);
}

/** How many seals bear the name of a key. */
export async function countSealsOf(database: Queryable, keyId: string): Promise<number> {
  const rows = await database.query<{ count: number }>(sql`
    select count(*) as count from seals where company_id is not null and key_id = ${keyId}`);
  return rows[0]?.count ?? 0;
}
