import type pg from "pg";
import type { Database } from "../src/database/database.ts";
import { toPublicId } from "../src/kernel/ids.ts";
import { toCursor } from "../src/kernel/page.ts";
import { listLines } from "../src/statements/list-lines.ts";
import { readPeriod } from "../src/statements/period.ts";
import { summarize } from "../src/statements/read-head.ts";
import { extendTotals } from "../src/statements/totals.ts";
import { getTransfer, listTransfers } from "../src/transfers/find-transfers.ts";
import { settle } from "../src/transfers/settle-store.ts";
import { callOnce } from "./batches.ts";
import type { History, Spot } from "./fill-books.ts";
import { timeZone } from "./fill-seals.ts";
import { scatteredReference } from "./fill-statements.ts";
import type { Book } from "./postgres.ts";
import { transferOf } from "./requests.ts";
import type { Service } from "./service.ts";

/** A database that was filled. */
export interface Ground {
  readonly book: Pick<Book, "companyId">;
  readonly history: History;
  /** One connection of our own, to do there what the service does, and another to accept on. */
  readonly database: Database;
  readonly client: pg.Client;
  /** Transfers spread over all that was filled in. */
  readonly spots: readonly Spot[];
  /** How many were accepted since. */
  readonly count: { accepted: number };
}

/** One of the two, with a service of its own. */
export interface Place extends Ground {
  readonly book: Book;
  readonly service: Service;
}

/** What callers do. Of a place that holds the same, each turn something else. */
export interface Act {
  readonly what: string;
  /** Undefined: it is measured and not judged. */
  readonly target?: number;
  /** Of so many spots each is gone to before the timing, so that what is asked for is in memory on both sides. */
  readonly share?: number;
  /** What has to be done once before. */
  readonly begin?: (ground: Ground) => Promise<void>;
  /** What it needs each time, and nobody measures. */
  readonly prepare?: (ground: Ground) => Promise<void>;
  /** As a caller would, and how many milliseconds it took. */
  readonly time: (place: Place, turn: number) => Promise<number>;
  /** The same on the place's own connection, where pages are counted. */
  readonly touch: (ground: Ground, turn: number) => Promise<unknown>;
}

const acceptedAtOnce = 32;
const settledAtOnce = 500;
const pageRows = 100;
const dayMs = 86_400_000;
const target = 0.9;

/** More than is ever filled in. */
const filledMax = 100_000_000;

/** The next person's, in each place: when the timing begins, everybody has been paid in both. */
const nextOf = (ground: Ground) => () => {
  ground.count.accepted += 1;
  return transferOf(ground.count.accepted);
};

/** The same with a reference that is all over the index, like those that were filled in. */
const nextScatteredOf = (ground: Ground) => () => {
  const next = nextOf(ground)();
  return { ...next, reference: scatteredReference(filledMax + ground.count.accepted) };
};

const accept = (ground: Ground) =>
  callOnce(ground.client, ground.book.companyId, acceptedAtOnce, nextOf(ground));
const acceptScattered = (ground: Ground) =>
  callOnce(ground.client, ground.book.companyId, acceptedAtOnce, nextScatteredOf(ground));
const settleAll = (ground: Ground) =>
  timed(async () => {
    if ((await settleOnce(ground)) !== settledAtOnce) throw new Error("not all were settled");
  });

export const acts: readonly Act[] = [
  { what: `accept ${acceptedAtOnce}, references in order`, target, time: accept, touch: accept },
  {
    what: `accept ${acceptedAtOnce}, references at random`,
    time: acceptScattered,
    touch: acceptScattered,
  },
  {
    what: `settle ${settledAtOnce}`,
    target,
    share: 0.1,
    prepare: async (ground) => {
      while ((await settleOnce(ground)) > 0);
      await callOnce(ground.client, ground.book.companyId, settledAtOnce, nextOf(ground));
    },
    time: settleAll,
    touch: settleAll,
  },
  {
    what: "get one",
    target,
    time: (place, turn) => ask(place, `/${toPublicId("txn", spotOf(place, turn).id)}`, 1),
    touch: ({ database, book, ...ground }, turn) =>
      getTransfer(database, book.companyId, spotOf(ground, turn).id),
  },
  {
    what: "search by reference",
    target,
    time: (place, turn) => ask(place, `?reference=${spotOf(place, turn).reference}`, 1),
    touch: ({ database, book, ...ground }, turn) => {
      const { reference } = spotOf(ground, turn);
      return listTransfers(database, book.companyId, { reference }, { limit: 15 });
    },
  },
  {
    what: "first page",
    target,
    time: (place) => ask(place, `?limit=${pageRows}`, pageRows),
    touch: ({ database, book }) => listTransfers(database, book.companyId, {}, { limit: pageRows }),
  },
  {
    what: "deep page",
    target,
    time: (place, turn) => {
      const list = { name: "transactions", companyId: place.book.companyId };
      const cursor = toCursor(list, "older", spotOf(place, turn).id);
      return ask(place, `?limit=${pageRows}&cursor=${cursor}`, pageRows);
    },
    touch: ({ database, book, ...ground }, turn) => {
      const from = { direction: "older", id: spotOf(ground, turn).id } as const;
      return listTransfers(database, book.companyId, {}, { limit: pageRows, from });
    },
  },
  {
    what: "statement of a day",
    target,
    // As a worker does: otherwise the first statements would sum what was accepted and settled here before.
    begin: async ({ database, book }) => {
      while (await extendTotals(database, book.companyId));
    },
    time: (place, turn) => {
      const day = dayOf(place, turn);
      return ask(place, `/v1/statement?from=${day}&to=${day}&limit=${pageRows}`, pageRows);
    },
    touch: async ({ database, book: { companyId }, ...ground }, turn) => {
      const day = dayOf(ground, turn);
      const period = readPeriod(timeZone, { from: day, to: day });
      const statement = { companyId, period, subCompanyId: undefined };
      const cut = await summarize(database, statement);
      const lines = { ...cut, companyId, subCompanyId: undefined, isBackwards: false };
      return listLines(database, { ...lines, limit: pageRows + 1 });
    },
  },
];

export async function settleOnce({
  database,
  book: { companyId },
}: Pick<Ground, "database" | "book">): Promise<number> {
  const most = Number.MAX_SAFE_INTEGER;
  const policy = { walletMax: { complete: most, otherwise: most }, testMsisdns: undefined };
  const { reasons } = await settle(database, policy, { companyId, limit: settledAtOnce });
  if (reasons?.some((reason) => reason !== null)) throw new Error("a transfer failed");
  return reasons?.length ?? 0;
}

function spotOf({ spots }: Pick<Ground, "spots">, turn: number): Spot {
  const spot = spots[turn];
  if (spot === undefined) throw new Error("nothing was filled in");
  return spot;
}

/** A day that was filled from its beginning to its end: not the first, nor the last two. */
function dayOf({ history: { days, until } }: Pick<Ground, "history">, turn: number): string {
  const ago = 2 + ((turn * 7) % (days - 2));
  return new Date(until.getTime() - ago * dayMs).toISOString().slice(0, 10);
}

/** Asks as a caller would. An answer with fewer rows than the other place's would be no measure. */
async function ask({ service, book }: Place, path: string, rows: number): Promise<number> {
  const url = `${service.url}${path.startsWith("/v1") ? "" : "/v1/transactions"}${path}`;
  let text = "";
  const ms = await timed(async () => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${book.accessToken}` } });
    text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${text}`);
  });
  const { count = 1 } = JSON.parse(text) as { readonly count?: number };
  if (count !== rows) throw new Error(`${path} has ${count} rows instead of ${rows}`);
  return ms;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
