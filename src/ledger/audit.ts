import { awayNodesOf } from "../database/away-nodes.ts";
import type { Database, Tx } from "../database/database.ts";
import { DatabaseUnavailable } from "../database/errors.ts";
import { isSharded, readParts, withPart } from "../database/parts.ts";
import { type Query, sql } from "../database/sql.ts";
import { type AuditRows, everything } from "./audit-rows.ts";

/** One thing that must hold, of everything there is or of what came since a checkpoint: `rows` says which. */
export interface AuditCheck {
  readonly name: string;
  /**
   * Whose rows it looks at, where it is not companies' alone: people's, who are on one node of a database that is split, or
   * both.
   */
  readonly of?: "people" | "both";
  /** An audit that continues from a checkpoint leaves it out: it has no meaning for some of the rows. */
  readonly needsEverything?: true;
  /** How much longer than with others it takes for one thing, for the time that is left. */
  readonly weight?: number;
  /** Returns what does not hold, at most `differencesMax` of it. */
  readonly find: (tx: Tx, rows: AuditRows) => Promise<Difference[]>;
  /** How many things it looked at, so that an empty answer can be told from an empty database. */
  readonly count: (tx: Tx, rows: AuditRows) => Promise<number>;
}

export interface Difference {
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

export interface AuditResult {
  readonly check: string;
  readonly examined: number;
  readonly differences: readonly Difference[];
}

export const differencesMax = 100;

/** How far an audit is: what was counted before, check by check. */
export interface AuditProgress {
  readonly check: string;
  /** Of 1. */
  readonly share: number;
}

interface AuditHow {
  /** Says which rows are looked at, in the audit's own snapshot; by default everything. Not where the database is split. */
  readonly chooseRows?: (tx: Tx) => Promise<AuditRows>;
  /** Told of each check before it begins. */
  readonly onProgress?: ((progress: AuditProgress) => void) | undefined;
  /** Asked last, in the same snapshot, when nothing was found. Not where the database is split: there is no snapshot of it. */
  readonly whenClean?: (tx: Tx) => Promise<void>;
}

/**
 * Runs every check on one snapshot of the database, so that work in progress is seen whole or not at all.
 * It reads everything once, or what was chosen; no request path does.
 */
export async function audit(
  database: Database,
  checks: readonly AuditCheck[],
  { chooseRows, onProgress, whenClean }: AuditHow = {},
): Promise<AuditResult[]> {
  if (await isSharded(database)) return auditParts(database, checks);
  return database.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read`);
    // One statement after the other, each of which joins large sets: what does not fit is written to the disk and read again.
    await tx.query(sql`set local work_mem = '64MB'`);
    const rows = (await chooseRows?.(tx)) ?? everything;
    await tx.query(sql`set transaction read only`);
    // Everything is read once and joined by hash, by all columns that must be equal. Where nothing is analysed yet, the
    // planner would go row by row, or merge by the company alone and compare each row of it with every other.
    await tx.query(sql`set local enable_seqscan = on`);
    await tx.query(sql`set local enable_nestloop = off`);
    await tx.query(sql`set local enable_mergejoin = off`);
    const results = await runChecks(tx, checks, rows, onProgress);
    if (isClean(results)) await whenClean?.(tx);
    return results;
  });
}

export function isClean(results: readonly AuditResult[]): boolean {
  return results.every(({ differences }) => differences.length === 0);
}

/** Counts first, so that it is known from then on how much is left. */
async function runChecks(
  tx: Tx,
  checks: readonly AuditCheck[],
  rows: AuditRows = everything,
  onProgress: (progress: AuditProgress) => void = () => {},
): Promise<AuditResult[]> {
  const counted: { check: AuditCheck; examined: number }[] = [];
  for (const check of checks) counted.push({ check, examined: await check.count(tx, rows) });
  const workOf = ({ check, examined }: (typeof counted)[0]) => (examined + 1) * (check.weight ?? 1);
  const all = counted.reduce((sum, one) => sum + workOf(one), 0);
  const results: AuditResult[] = [];
  let done = 0;
  for (const one of counted) {
    const { check, examined } = one;
    onProgress({ check: check.name, share: done / all });
    results.push({ check: check.name, examined, differences: await check.find(tx, rows) });
    done += workOf(one);
  }
  return results;
}

/**
 * Where the database is split, part by part: each statement then sees the companies of one part alone, and runs as it is on
 * the node that has them. A node that is away keeps back its own companies, which are named, and no others. There is no
 * snapshot of all nodes, so what wallets got is compared at two moments: whoever finds a difference looks again.
 */
async function auditParts(
  database: Database,
  checks: readonly AuditCheck[],
): Promise<AuditResult[]> {
  const sums = new Map(
    checks.map(({ name }) => [name, { examined: 0, differences: [] as Difference[] }]),
  );
  const add = (results: readonly AuditResult[]) => {
    for (const { check, examined, differences } of results) {
      const sum = sums.get(check);
      if (sum === undefined) continue;
      sum.examined += examined;
      sum.differences.push(...differences.slice(0, differencesMax - sum.differences.length));
    }
  };
  const away: Difference[] = [];
  const ofPeople = checks.filter(({ of }) => of === "people");
  const ofCompanies = checks.filter(({ of }) => of !== "people");
  const look = async (where: string, run: () => Promise<AuditResult[]>, node?: string) => {
    try {
      if (node !== undefined && awayNodesOf(database).has(node)) throw new DatabaseUnavailable();
      add(await run());
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      away.push({ where, expected: "an answer", found: "its node is away" });
    }
  };
  await look("people's wallets", () => database.transaction((tx) => runChecks(tx, ofPeople)));
  for (const { node, companyIds } of await readParts(database))
    await look(
      `${companyIds.length} companies on ${node}`,
      () => withPart(database, companyIds, (tx) => runChecks(tx, ofCompanies)),
      node,
    );
  return [
    ...checks.map(({ name }) => ({
      check: name,
      examined: sums.get(name)?.examined ?? 0,
      differences: sums.get(name)?.differences ?? [],
    })),
    ...(away.length === 0
      ? []
      : [{ check: "every node answers", examined: away.length, differences: away }]),
  ];
}

/** The one number that a query counts. */
export async function countOf(tx: Tx, query: Query): Promise<number> {
  return (await tx.query<{ count: number }>(query))[0]?.count ?? 0;
}
