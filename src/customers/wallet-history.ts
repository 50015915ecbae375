import type { Queryable } from "../database/database.ts";
import { type Page, parsePageRequest, toPage } from "../kernel/page.ts";
import { selectEntries, selectWallet } from "./wallet-history-store.ts";

export interface Wallet {
  /** Undefined for a staging test number, which nobody adds to the book. */
  readonly name: string | undefined;
  readonly balance: number;
}

/** One line of a person's history, as it was when the money moved. */
export interface WalletEntry {
  /** The transfer, payment or refund. Their ids are in the order of time, and so is the history. */
  readonly id: string;
  /** Why it moved: transfer.completed, charge.paid, charge.refunded. */
  readonly event: string;
  /** Added to the wallet; negative when the person paid. */
  readonly amount: number;
  readonly companyId: string;
  readonly companyName: string;
  readonly subCompany: { readonly name: string; readonly logoUrl: string } | undefined;
  readonly serviceReference: string;
  readonly description: string | null;
  readonly createdAt: Date;
}

const pageSize = 20;

export async function findWallet(database: Queryable, msisdn: string): Promise<Wallet | undefined> {
  return selectWallet(database, msisdn);
}

/** A page of a person's history, newest first. Throws InvalidCursor for one that no page gave out. */
export async function listWalletEntries(
  database: Queryable,
  msisdn: string,
  query: { readonly cursor?: string } = {},
): Promise<Page<WalletEntry>> {
  const list = { name: "wallet", msisdn };
  const request = parsePageRequest(list, { ...query, limit: pageSize });
  return toPage(list, request, await selectEntries(database, msisdn, request));
}
