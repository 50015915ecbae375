import type { Tx } from "../../src/database/database.ts";
import type { LedgerKey } from "../../src/statements/seal.ts";
import type { ForgedCompanies } from "./town.ts";

/** What a reader or an operator has to notice a forgery with. */
export const tools = [
  "audit",
  "audit --full",
  "audit --seals",
  "verify",
  "master-key check",
] as const;
export type Tool = (typeof tools)[number];

/** Somebody who may do everything in the database, and has no master key. */
export interface Insider {
  readonly tx: Tx;
  readonly companies: ForgedCompanies;
  /** A key of the insider's own. */
  readonly own: LedgerKey;
}

/** One forgery of what is sealed, made as well as it can be made without the operator's key. */
export interface Attack {
  /** As docs/reliability.md tells it. */
  readonly name: string;
  /** It begins with the database as it stood when the first day was sealed, such as from a backup. */
  readonly onFirstDay?: true;
  /** Whose statement is exported from what became of it; the first company's. */
  readonly reader?: 0 | 1;
  readonly forge: (insider: Insider) => Promise<void>;
  /** Who notices it at once, and who does when the service has gone on for a day and has signed what it signs. */
  readonly noticed: { readonly now: readonly Tool[]; readonly later: readonly Tool[] };
}
