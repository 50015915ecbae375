import assert from "node:assert/strict";
import pg from "pg";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/database/database.ts";
import { sqlState } from "../../src/database/errors.ts";
import { sql } from "../../src/database/sql.ts";
import { leaseMsFor } from "../../src/queues/leased-queue.ts";
import { claimedForMs } from "../../src/webhooks/delivery-policy.ts";
import type { Catalog } from "./catalog.ts";

const tableIsLocked = "55P03";

/** The longest that a service with these settings keeps something to itself. */
export function longestLeaseMs(settings: Readonly<Record<string, string>>): number {
  return Math.max(leaseMsFor(readConfig(settings).databaseTimeoutMs), claimedForMs);
}

/** What was leased just now runs out before a stall is over, as the database has it. */
export async function assertOutlasting(
  database: Database,
  catalog: Catalog,
  stallMs: number,
): Promise<void> {
  for (const { name, leases } of catalog)
    for (const lease of leases) {
      const text = `select extract(epoch from max(${pg.escapeIdentifier(lease)}) - now()) * 1000 as "leftMs"
        from ${pg.escapeIdentifier(name)}`;
      const [row] = await database.query<{ leftMs: string | null }>({ text, values: [] });
      const leftMs = Number(row?.leftMs ?? 0);
      assert(leftMs < stallMs, `${name}.${lease} lasts ${leftMs} ms more, a stall ${stallMs} ms`);
    }
}

/**
 * As if every lease had run out just now, for services whose leases are longer than a stall. A lease whose row or table
 * somebody has locked stays as it is.
 */
export async function lapseLeases(database: Database, catalog: Catalog): Promise<void> {
  for (const { name, leases } of catalog)
    for (const lease of leases)
      await lapse(database, pg.escapeIdentifier(name), pg.escapeIdentifier(lease));
}

async function lapse(database: Database, table: string, lease: string): Promise<void> {
  const text = `update ${table} set ${lease} = now() where ctid = any (array(
    select ctid from ${table} where ${lease} > now() for update skip locked))`;
  try {
    await database.transaction(async (tx) => {
      await tx.query(sql`set local lock_timeout = 500`);
      await tx.query({ text, values: [] });
    });
  } catch (error) {
    if (sqlState(error) !== tableIsLocked) throw error;
  }
}
