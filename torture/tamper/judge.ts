import { auditChecks } from "../../src/audit-checks.ts";
import type { Database, Tx } from "../../src/database/database.ts";
import { sqlState } from "../../src/database/errors.ts";
import { sql } from "../../src/database/sql.ts";
import type { AuditCheck } from "../../src/ledger/audit.ts";
import { everything } from "../../src/ledger/audit-rows.ts";

/** What became of a change: a check noticed it, a constraint refused it, nothing did; or there was nothing to change. */
export type Verdict =
  | { readonly kind: "noticed"; readonly by: string }
  | { readonly kind: "refused"; readonly by: string }
  | { readonly kind: "unnoticed" }
  | { readonly kind: "void" };

/** More checks than the database alone can make, such as those that need the operator's key. */
export type MoreChecks = (tx: Tx) => Promise<string | undefined>;

class TakenBack extends Error {}

/** Makes changes past the triggers, has the audit look, and takes everything back. */
export class Judge {
  readonly #database: Database;
  readonly #more: MoreChecks;
  /** The one that noticed the last change of a table is asked soon: mostly it is the one. */
  readonly #first = new Map<string, AuditCheck>();

  constructor(database: Database, more: MoreChecks) {
    this.#database = database;
    this.#more = more;
  }

  /** `declared` is the name of the check that should notice it, and is asked first: of several the answer is always the same one. */
  async judge(table: string, texts: readonly string[], declared?: string): Promise<Verdict> {
    let verdict: Verdict = { kind: "void" };
    try {
      await this.#database.transaction(async (tx) => {
        await tx.query(sql`set local session_replication_role = replica`);
        let changed = 0;
        for (const text of texts)
          changed += (await tx.query({ text: `${text} returning 1`, values: [] })).length;
        if (changed === 0) throw new TakenBack();
        verdict = await this.#look(tx, table, declared);
        throw new TakenBack();
      });
    } catch (error) {
      if (error instanceof TakenBack) return verdict;
      const state = sqlState(error);
      // Of integrity constraints, of values that a type has not, and what our own functions refuse.
      if (state === undefined || !/^(?:23|22|CA|42804)/.test(state)) throw error;
      return { kind: "refused", by: constraintOf(error) };
    }
    return verdict;
  }

  /** What is wrong before anybody changed anything. */
  async look(): Promise<string | undefined> {
    return this.#database.transaction(async (tx) => {
      const verdict = await this.#look(tx, "");
      return verdict.kind === "noticed" ? verdict.by : undefined;
    });
  }

  async #look(tx: Tx, table: string, declared?: string): Promise<Verdict> {
    await tx.query(sql`set local enable_nestloop = off`);
    await tx.query(sql`set local enable_mergejoin = off`);
    const first = this.#first.get(table);
    const soon = auditChecks.filter(({ name }) => name === declared);
    if (first !== undefined) soon.push(first);
    for (const check of [...soon, ...auditChecks]) {
      if ((await check.find(tx, everything)).length === 0) continue;
      this.#first.set(table, check);
      return { kind: "noticed", by: check.name };
    }
    const by = await this.#more(tx);
    return by === undefined ? { kind: "unnoticed" } : { kind: "noticed", by };
  }
}

function constraintOf(error: unknown): string {
  const { constraint, column, message } = error as Record<string, string | undefined>;
  return constraint ?? (column === undefined ? (message ?? "the type") : `${column} not null`);
}
