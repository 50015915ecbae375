import type { Database } from "../database/database.ts";
import { dayAfter, dayOf, startOfDay } from "../kernel/days.ts";
import { findPostingTime } from "../ledger/find-postings.ts";
import { firstHash } from "./chain.ts";
import { type BrokenLink, type ChainResult, recomputeChain } from "./check-chain.ts";
import { insertDayTotals } from "./days-store.ts";
import { extendTrails } from "./extend-trails.ts";
import type { UnboundKey } from "./key-bindings.ts";
import { readLedgerKeys } from "./ledger-key.ts";
import { selectLastBefore } from "./lines-store.ts";
import { isGenuine, type LedgerKey, type PublicLedgerKey, type Seal, signSeal } from "./seal.ts";
import { toSealPayload } from "./seal-resource.ts";
import {
  closeUntil,
  insertSeal,
  type KeptSeal,
  publishSeal,
  type Sealable,
  selectLastSeal,
  selectSealable,
  updateSealed,
} from "./seals-store.ts";
import type { EventTotals } from "./statement.ts";
import { balanceOf, extendTotals, totalsUpto } from "./totals.ts";
import { lockProgress } from "./totals-store.ts";

export interface Sealing {
  readonly database: Database;
  readonly key: LedgerKey;
  readonly timeZoneOf: (companyId: string) => Promise<string>;
}

export type SealOutcome =
  | { readonly kind: "sealed"; readonly seal: Seal }
  /** No day is over that has postings. */
  | { readonly kind: "nothing" }
  /** There are keys that are not the operator's: whoever has put them there may have rewritten what was sealed. */
  | { readonly kind: "unbound"; readonly keys: readonly UnboundKey[] }
  /** What is in the books or in a trail is not what was written: the operator does not put a name to it. */
  | { readonly kind: "broken"; readonly link: BrokenLink & { readonly where: string } };

/** How long a company that cannot be sealed is left alone before it is looked at again. */
const brokenPauseMs = 3_600_000;

/**
 * Seals the first day of a company that is over and not sealed yet. The day's chain is computed again before it is
 * signed. Any number of nodes may do it at once: a day is sealed once, and told once.
 */
export async function sealNextDay(
  { database, key, timeZoneOf }: Sealing,
  companyId: string,
): Promise<SealOutcome> {
  const books = await selectSealable(database, companyId);
  const last = await selectLastSeal(database, companyId);
  const next = books && (await findNextDay(database, books, last, await timeZoneOf(companyId)));
  if (books === undefined || next === undefined) return { kind: "nothing" };
  const sealedTo = last?.number ?? 0;
  if (next.until > books.now) {
    await postpone(database, companyId, sealedTo, next.until);
    return { kind: "nothing" };
  }
  const later = new Date(books.now.getTime() + brokenPauseMs);
  const { bound, unbound } = await readLedgerKeys(database, key);
  if (unbound.length > 0) {
    await postpone(database, companyId, sealedTo, later);
    return { kind: "unbound", keys: unbound };
  }
  await closeUntil(database, companyId, next.until);
  const number = await selectLastBefore(database, companyId, next.until);
  const chain = await continueChain(database, books, last, number, bound);
  if (chain.broken !== undefined) {
    await postpone(database, companyId, sealedTo, later);
    const where = `posting ${chain.broken.number}`;
    return { kind: "broken", link: { where, ...chain.broken } };
  }
  const trails = await extendTrails(database, key, companyId, last?.trails, books.now);
  if ("broken" in trails) {
    await postpone(database, companyId, sealedTo, later);
    return { kind: "broken", link: trails.broken };
  }
  while (await extendTotals(database, companyId));
  const totals = await totalsUpto(database, companyId, undefined, number);
  const balance = balanceOf(totals);
  const seal = signSeal(key, { companyId, ...next, number, balance, hash: chain.hash, trails });
  await keepSeal(database, seal, totals, key.publicKey);
  return { kind: "sealed", seal };
}

/** The day of the first posting that is not sealed. A day that is sealed is over, also when the time zone is another now. */
async function findNextDay(
  database: Database,
  { company_id, last_posting, chained_after }: Sealable,
  last: KeptSeal | undefined,
  timeZone: string,
): Promise<Pick<Seal, "day" | "until"> | undefined> {
  const first = (last?.number ?? chained_after ?? last_posting) + 1;
  const at = first > last_posting ? undefined : await findPostingTime(database, company_id, first);
  if (at === undefined) return undefined;
  const said = dayOf(at, timeZone);
  const day = last !== undefined && said <= last.day ? dayAfter(last.day) : said;
  return { day, until: startOfDay(dayAfter(day), timeZone) };
}

/** The chain from the last seal on, as far as that seal is the operator's own. */
async function continueChain(
  database: Database,
  { company_id: companyId, chained_after }: Sealable,
  last: KeptSeal | undefined,
  upto: number,
  keys: readonly PublicLedgerKey[],
): Promise<ChainResult> {
  if (last !== undefined && !isGenuine(keys, last)) {
    const [expected, found] = [`the seal of ${last.day}`, "another signature"];
    return { broken: { number: last.number, expected, found } };
  }
  const after = last?.number ?? chained_after ?? 0;
  const hash = last?.hash ?? firstHash({ companyId, after });
  return recomputeChain(database, { companyId, after, upto, hash });
}

/** Once, whoever else does: a day has one seal, which is told once. */
export async function keepSeal(
  database: Database,
  seal: Seal,
  totals: EventTotals,
  publicKey: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockProgress(tx, seal.companyId);
    if (!(await insertSeal(tx, seal))) return;
    await insertDayTotals(tx, seal.companyId, seal.day, totals);
    await updateSealed(tx, seal.companyId, { sealedTo: seal.number, sealAfter: seal.until });
    await publishSeal(tx, seal.companyId, toSealPayload(seal, publicKey));
  });
}

async function postpone(
  database: Database,
  companyId: string,
  sealedTo: number,
  sealAfter: Date,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockProgress(tx, companyId);
    await updateSealed(tx, companyId, { sealedTo, sealAfter });
  });
}
