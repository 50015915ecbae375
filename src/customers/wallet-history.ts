import type { Queryable } from "../database/database.ts";
import { type Page, parsePageRequest, toPage } from "../kernel/page.ts";
import type { Wallet, WalletEntry } from "./wallet.ts";
import { selectEntries, selectWallet } from "./wallet-history-store.ts";

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
