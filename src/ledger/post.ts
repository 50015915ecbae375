import assert from "node:assert/strict";
import type { Queryable } from "../database/database.ts";
import { Tx } from "../database/database.ts";
import type { Balances } from "./balances.ts";
import type { Adjustment, Funding, NewFunding, Withdrawal } from "./funding.ts";
import {
  insertAdjustment,
  insertBooks,
  insertFunding,
  insertWithdrawal,
  selectAdjustment,
  selectBalances,
  selectFunding,
  selectWithdrawal,
} from "./store.ts";

/** Gives a new company its books, all accounts at zero. */
export async function openBooks(tx: Tx, companyId: string): Promise<void> {
  await insertBooks(tx, companyId);
}

/**
 * Puts money from outside on a company's account; false when its reference was used before. It takes an open transaction, so the money and
 * the record of why it moved commit together or not at all. (Transfers and charges move theirs in the SQL functions that
 * accept, settle and book them. All of them call add_postings, the one place that writes postings.)
 */
export async function fund(tx: Tx, companyId: string, funding: NewFunding): Promise<boolean> {
  assert(tx instanceof Tx, "money moves inside a transaction");
  return insertFunding(tx, companyId, funding);
}

/** Takes money out of a company's account; false when its reference was used before. A transaction as with `fund`. */
export async function withdraw(
  tx: Tx,
  companyId: string,
  withdrawal: Withdrawal,
): Promise<boolean> {
  assert(tx instanceof Tx, "money moves inside a transaction");
  return insertWithdrawal(tx, companyId, withdrawal);
}

/** Moves money between two accounts of a company's books; false when its reference was used before. */
export async function adjust(tx: Tx, companyId: string, adjustment: Adjustment): Promise<boolean> {
  assert(tx instanceof Tx, "money moves inside a transaction");
  return insertAdjustment(tx, companyId, adjustment);
}

export async function findWithdrawal(
  database: Queryable,
  companyId: string,
  reference: string,
): Promise<(Withdrawal & { readonly createdAt: Date }) | undefined> {
  return selectWithdrawal(database, companyId, reference);
}

export async function findAdjustment(
  database: Queryable,
  companyId: string,
  reference: string,
): Promise<(Adjustment & { readonly createdAt: Date }) | undefined> {
  return selectAdjustment(database, companyId, reference);
}

/** The funding that a reference stands for. */
export async function findFunding(
  database: Queryable,
  companyId: string,
  reference: string,
): Promise<Funding | undefined> {
  return selectFunding(database, companyId, reference);
}

export async function balancesOf(database: Queryable, companyId: string): Promise<Balances> {
  const balances = await selectBalances(database, companyId);
  assert(balances !== undefined, `company ${companyId} has no books`);
  return balances;
}
