import type { Queryable } from "../database/database.ts";
import { InvalidCursor } from "../kernel/errors.ts";
import { toUuid } from "../kernel/ids.ts";
import { selectEntries, selectWallet } from "./wallet-history-store.ts";

export interface Wallet {
  /** Undefined for a staging test number, which nobody adds to the book. */
  readonly name: string | undefined;
  readonly balance: number;
}

/** One line of a person's history, as it was when the money moved. */
export interface WalletEntry {
  /** The transfer, payment or refund. */
  readonly subjectId: string;
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

/** Where an entry stands in the history: its key. Subjects are time-ordered, so the key is the order. */
export interface WalletPosition {
  readonly direction: "older" | "newer";
  readonly subjectId: string;
  readonly event: string;
}

export interface WalletEntryPage {
  readonly entries: readonly WalletEntry[];
  /** Cursors to the pages on either side; null at the ends. */
  readonly newer: string | null;
  readonly older: string | null;
}

const pageSize = 20;

export async function findWallet(database: Queryable, msisdn: string): Promise<Wallet | undefined> {
  return selectWallet(database, msisdn);
}

/** A page of a person's history, newest first. Throws InvalidCursor for one that no page gave out. */
export async function listWalletEntries(
  database: Queryable,
  msisdn: string,
  page: { readonly cursor?: string | undefined } = {},
): Promise<WalletEntryPage> {
  const from = page.cursor === undefined ? undefined : parseCursor(page.cursor);
  // One more than is shown tells whether there is another page.
  const found = await selectEntries(database, msisdn, from, pageSize + 1);
  const hasMore = found.length > pageSize;
  const isUpwards = from?.direction === "newer";
  const entries = found.slice(0, pageSize);
  if (isUpwards) entries.reverse();

  const [first, last] = [entries.at(0) ?? from, entries.at(-1) ?? from];
  const hasNewer = isUpwards ? hasMore : from !== undefined;
  const hasOlder = isUpwards || hasMore;
  return {
    entries,
    newer: hasNewer && first !== undefined ? toCursor("newer", first) : null,
    older: hasOlder && last !== undefined ? toCursor("older", last) : null,
  };
}

type Key = Pick<WalletPosition, "subjectId" | "event">;

function toCursor(direction: WalletPosition["direction"], { subjectId, event }: Key): string {
  return Buffer.concat([
    Buffer.from([direction === "older" ? 0 : 1]),
    Buffer.from(subjectId.replaceAll("-", ""), "hex"),
    Buffer.from(event),
  ]).toString("base64url");
}

const cursorShape = /^[A-Za-z0-9_-]{24,120}$/;
const eventShape = /^[a-z]+\.[a-z]+$/;

function parseCursor(cursor: string): WalletPosition {
  const bytes = Buffer.from(cursorShape.test(cursor) ? cursor : "", "base64url");
  const event = bytes.toString("latin1", 17);
  if ((bytes[0] !== 0 && bytes[0] !== 1) || !eventShape.test(event)) throw new InvalidCursor();
  return {
    direction: bytes[0] === 0 ? "older" : "newer",
    subjectId: toUuid(bytes.toString("hex", 1, 17)),
    event,
  };
}
