import type pg from "pg";
import { settle } from "../src/transfers/settle-store.ts";
import { callBare, callOnce, connect } from "./batches.ts";
import type { Plan } from "./options.ts";
import type { Book, Postgres } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { compare, medianOf } from "./rounds.ts";
import { unchainedPosting } from "./unchained.ts";

/** As many as wait together at 64 connections, and as many as a batch has. */
const setSizes = [32, 1_000];
/** As many as one call settles. */
const settledAtOnce = 500;
/** Of what accepting costs, the chain may be a twentieth. */
const acceptTarget = 0.95;

/** A database, and a connection to it that makes one call after the other. */
interface Caller {
  readonly book: Book;
  readonly client: pg.Client;
}

type Calls = (caller: Caller, seconds: number) => Promise<{ readonly transfersPerSecond: number }>;

/**
 * Part m: the calls that accept and settle transfers, with the chain of postings and without it, in two databases of one
 * server.
 */
export async function chainAgainstNone(postgres: Postgres, plan: Plan): Promise<Finding[]> {
  const chained = await open(postgres, "chained");
  const unchained = await open(postgres, "unchained");
  await unchained.book.database.query({ text: unchainedPosting, values: [] });
  const against = (id: string, what: string, calls: Calls, target?: number) =>
    compareCalls(plan, [chained, unchained], { id, what, calls, target });
  try {
    const findings: Finding[] = [];
    for (const rows of setSizes)
      findings.push(
        await against(
          `m-${rows}`,
          `(m) the call that accepts, ${whole(rows)} at a time`,
          ({ client, book }, seconds) => callBare(client, book.companyId, rows, seconds),
          acceptTarget,
        ),
      );
    const what = `(m) the call that settles, ${settledAtOnce} at a time`;
    findings.push(await against("m-settle", what, settleBare));
    return findings;
  } finally {
    for (const { client, book } of [chained, unchained]) {
      await client.end();
      await book.close();
    }
  }
}

async function open(postgres: Postgres, name: string): Promise<Caller> {
  const book = await postgres.makeBook(name);
  return { book, client: await connect(book) };
}

async function compareCalls(
  plan: Plan,
  [chained, unchained]: readonly [Caller, Caller],
  part: {
    readonly id: string;
    readonly what: string;
    readonly calls: Calls;
    readonly target: number | undefined;
  },
): Promise<Finding> {
  const { id, what, calls, target } = part;
  const { first, second, ratio, ratios } = await compare(
    plan,
    (seconds) => calls(chained, seconds),
    (seconds) => calls(unchained, seconds),
  );
  const rate = (results: typeof first) =>
    medianOf(results, ({ transfersPerSecond }) => transfersPerSecond);
  return {
    id,
    what,
    measured: `${whole(rate(first))}/s chained`,
    against: `not chained: ${whole(rate(second))}/s`,
    ratio,
    ...(target === undefined ? {} : { target }),
    numbers: {
      chained: { transfersPerSecond: Math.round(rate(first)) },
      unchained: { transfersPerSecond: Math.round(rate(second)) },
      ratios: ratios.map((r) => rounded(r)),
    },
  };
}

/** Call after call; only those that settle are timed. What other parts have left pending is settled first. */
async function settleBare({ book, client }: Caller, seconds: number) {
  await settleAll(book);
  const deadline = performance.now() + seconds * 1_000;
  let calls = 0;
  let busyMs = 0;
  while (performance.now() < deadline) {
    await callOnce(client, book.companyId, settledAtOnce);
    const start = performance.now();
    const count = await settleOnce(book);
    busyMs += performance.now() - start;
    if (count !== settledAtOnce) throw new Error(`${count} of ${settledAtOnce} were settled`);
    calls += 1;
  }
  return { transfersPerSecond: (calls * settledAtOnce * 1_000) / busyMs };
}

async function settleAll(book: Book): Promise<void> {
  while ((await settleOnce(book)) > 0);
}

/** Answers how many were settled; none may fail. */
async function settleOnce({ database, companyId }: Book): Promise<number> {
  const most = Number.MAX_SAFE_INTEGER;
  const policy = { walletMax: { complete: most, otherwise: most }, testMsisdns: undefined };
  const { reasons } = await settle(database, policy, { companyId, limit: settledAtOnce });
  if (reasons?.some((reason) => reason !== null)) throw new Error("a transfer failed");
  return reasons?.length ?? 0;
}
