import assert from "node:assert/strict";
import type { Database, Queryable, Tx } from "./database.ts";
import { WrongEnvironment } from "./errors.ts";
import { sql } from "./sql.ts";

export type Environment = "staging" | "production";

/**
 * Refuses a database of the other kind. One that no service has started on and that has no companies and customers is
 * of no kind yet: it becomes what the program that opens it is.
 */
export async function recordEnvironment(
  database: Database,
  environment: Environment,
): Promise<void> {
  const recorded = await readEnvironment(database);
  if (recorded === environment) return;
  await database.transaction(async (tx) => {
    await tx.query(sql`
      insert into installation (environment) values (${environment}) on conflict (is_only) do nothing`);
    const standing = await lockInstallation(tx);
    if (standing.environment === environment) return;
    if (standing.is_settled || !(await isEmpty(tx)))
      throw new WrongEnvironment(standing.environment, environment);
    await tx.query(sql`update installation set environment = ${environment}, recorded_at = now()`);
  });
}

/** What a service starts on stays of its kind, also while it is empty. */
export async function settleEnvironment(
  database: Database,
  environment: Environment,
): Promise<void> {
  await database.transaction(async (tx) => {
    const standing = await lockInstallation(tx);
    if (standing.environment !== environment)
      throw new WrongEnvironment(standing.environment, environment);
    if (!standing.is_settled) await tx.query(sql`update installation set is_settled = true`);
  });
}

interface Installation {
  readonly environment: Environment;
  readonly is_settled: boolean;
}

/** Holds the installation's row until the commit: what only one of several starting nodes may do is done under it. */
export async function lockInstallation(tx: Tx): Promise<Installation> {
  const rows = await tx.query<Installation>(sql`
    select environment, is_settled from installation for update`);
  assert(rows[0] !== undefined, "a database that was opened has its environment recorded");
  return rows[0];
}

export async function readEnvironment(database: Queryable): Promise<Environment | undefined> {
  const rows = await database.query<{ environment: Environment }>(sql`
    select environment from installation`);
  return rows[0]?.environment;
}

async function isEmpty(tx: Tx): Promise<boolean> {
  const rows = await tx.query(sql`
    (select 1 from companies limit 1) union all (select 1 from customers limit 1)`);
  return rows.length === 0;
}
