import { auditChecks } from "../src/audit-checks.ts";
import { sql } from "../src/database/sql.ts";
import { audit } from "../src/ledger/audit.ts";
import { settle } from "../src/transfers/settle-store.ts";
import { callOnce, connect } from "./batches.ts";
import { fillBooks, filledDays } from "./fill-books.ts";
import type { Plan } from "./options.ts";
import type { Book, Postgres } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { median } from "./rounds.ts";
import { type Service, startService } from "./service.ts";

/** Hardly any, but on each day enough for two pages. */
const almostNothing = 20_000;
const target = 0.9;
const acceptedAtOnce = 32;
const settledAtOnce = 500;
const pageRows = 100;
const dayMs = 86_400_000;

/** One of the two databases, with a service of its own. */
interface Place {
  readonly book: Book;
  readonly service: Service;
  /** Makes one call after the other, as the service would. */
  readonly accept: (rows: number) => Promise<number>;
  /** Something of it, each time another: how many transfers it was filled with. */
  readonly filled: number;
}

/** Does a thing once, and answers how many milliseconds it took. */
type Act = (place: Place, turn: number) => Promise<number>;

/**
 * Part growth: what callers do, in a company with years of transfers behind it against one with hardly any, in turns call by
 * call. And what a transfer weighs at rest, everything counted.
 */
export async function growAgainstNew(
  postgres: Postgres,
  plan: Plan,
  stopped: AbortSignal,
  say: (line: string) => void,
): Promise<Finding[]> {
  const closings: (() => Promise<unknown>)[] = [];
  try {
    const open = async (name: string, filled: number): Promise<Place> => {
      const book = await postgres.makeBook(name);
      closings.unshift(() => book.close());
      let toldAt = 0;
      await fillBooks(book, filled, (done) => {
        if (done - toldAt < filled / 10) return;
        toldAt = done;
        say(`${name}: ${whole(done)} transfers`);
      });
      const client = await connect(book);
      closings.unshift(() => client.end());
      const service = await startService(book, "api", stopped);
      closings.unshift(() => service.stop());
      return { book, service, filled, accept: (rows) => callOnce(client, book.companyId, rows) };
    };
    const before = performance.now();
    const grown = await open("grown", plan.grownTransfers);
    const fillSeconds = (performance.now() - before) / 1_000;
    const bytes = await weigh(grown);
    say(`filled in ${whole(fillSeconds)} s`);
    const fresh = await open("fresh", almostNothing);
    const findings = [bytes];
    for (const [what, act] of Object.entries(acts))
      findings.push(await compareActs(plan, [grown, fresh], what, act));
    say("auditing both");
    for (const place of [fresh, grown]) await auditOrThrow(place);
    return findings;
  } finally {
    for (const close of closings) await close();
  }
}

const acts: Readonly<Record<string, Act>> = {
  [`accept ${acceptedAtOnce} together`]: (place) => place.accept(acceptedAtOnce),
  [`settle ${settledAtOnce} together`]: async (place) => {
    while ((await settleOnce(place)) > 0);
    await place.accept(settledAtOnce);
    return timed(async () => {
      if ((await settleOnce(place)) !== settledAtOnce) throw new Error("not all were settled");
    });
  },
  "get one": async (place, turn) => {
    const id = await idOf(place, turn);
    return ask(place, `/v1/transactions/${id}`);
  },
  "search by reference": (place, turn) =>
    ask(place, `/v1/transactions?reference=${referenceOf(place, turn)}`),
  "first page": (place) => ask(place, `/v1/transactions?limit=${pageRows}`),
  "deep page": async (place, turn) => {
    const path = `/v1/transactions?limit=${pageRows}&createdTo=${momentOf(turn).toISOString()}`;
    const cursor = await cursorOf(place, path);
    return ask(place, `${path}&cursor=${cursor}`);
  },
  "statement of a day": (place, turn) => {
    const day = momentOf(turn).toISOString().slice(0, 10);
    return ask(place, `/v1/statement?from=${day}&to=${day}&limit=${pageRows}`);
  },
};

async function compareActs(
  plan: Plan,
  [grown, fresh]: readonly [Place, Place],
  what: string,
  act: Act,
): Promise<Finding> {
  const times = { grown: [] as number[], fresh: [] as number[] };
  let turn = 0;
  const run = async (seconds: number) => {
    const deadline = performance.now() + 2 * seconds * 1_000;
    for (const first = turn; turn === first || performance.now() < deadline; turn += 1) {
      const turns = [
        async () => times.grown.push(await act(grown, turn)),
        async () => times.fresh.push(await act(fresh, turn)),
      ];
      for (const one of turn % 2 === 0 ? turns : turns.toReversed()) await one();
    }
  };
  await run(plan.warmUpSeconds);
  times.grown.length = 0;
  times.fresh.length = 0;
  await run(plan.growthSeconds);
  const [grownMs, freshMs] = [median(times.grown), median(times.fresh)];
  return {
    id: `growth ${what}`,
    what: `(growth) ${what}, ${whole(grown.filled)} transfers`,
    measured: `${rounded(grownMs, 2)} ms`,
    against: `${whole(fresh.filled)} transfers: ${rounded(freshMs, 2)} ms`,
    ratio: freshMs / grownMs,
    target,
    numbers: { grownMs: rounded(grownMs), freshMs: rounded(freshMs), calls: times.grown.length },
  };
}

/** Everything that is on the disk for the transfers: tables, indexes, and what belongs to them. */
async function weigh({ book, filled }: Place): Promise<Finding> {
  const rows = await book.database.query<{ name: string; bytes: number }>(sql`
    select c.relname as name, pg_total_relation_size(c.oid)::bigint as bytes
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by 2 desc`);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0) / filled;
  const largest = rows.slice(0, 5).map((row) => `${row.name} ${whole(row.bytes / filled)}`);
  return {
    id: "growth bytes",
    what: `(growth) bytes at rest for a transfer, of ${whole(filled)}`,
    measured: `${whole(bytes)} bytes`,
    against: largest.join(", "),
    ratio: bytesMax / bytes,
    target: 1,
    numbers: Object.fromEntries(rows.slice(0, 12).map((row) => [row.name, row.bytes])),
  };
}
const bytesMax = 1_300;

async function auditOrThrow({ book }: Place): Promise<void> {
  const results = await audit(book.database, auditChecks);
  const found = results.flatMap(({ differences }) => differences);
  if (found.length > 0) throw new Error(`the books are not in order: ${JSON.stringify(found[0])}`);
}

async function settleOnce({ book: { database, companyId } }: Place): Promise<number> {
  const most = Number.MAX_SAFE_INTEGER;
  const policy = { walletMax: { complete: most, otherwise: most }, testMsisdns: undefined };
  const { reasons } = await settle(database, policy, { companyId, limit: settledAtOnce });
  if (reasons?.some((reason) => reason !== null)) throw new Error("a transfer failed");
  return reasons?.length ?? 0;
}

/** Spread over what was filled, each turn elsewhere. */
function referenceOf({ filled }: Place, turn: number): string {
  return `filled-${(1 + ((turn * 7_919) % filled)).toString().padStart(10, "0")}`;
}

/** In the middle of what was filled, each turn another day. */
function momentOf(turn: number): Date {
  return new Date(Date.now() - (filledDays / 4 + (turn % (filledDays / 2))) * dayMs);
}

async function idOf(place: Place, turn: number): Promise<string> {
  const answer = await fetchOf(place, `/v1/transactions?reference=${referenceOf(place, turn)}`);
  const { data } = (await answer.json()) as { data: readonly { id: string }[] };
  const [found] = data;
  if (found === undefined) throw new Error("a transfer that was filled in is not found");
  return found.id;
}

async function cursorOf(place: Place, path: string): Promise<string> {
  const { cursor } = (await (await fetchOf(place, path)).json()) as { cursor: { next: string } };
  return cursor.next;
}

async function ask(place: Place, path: string): Promise<number> {
  return timed(async () => void (await (await fetchOf(place, path)).arrayBuffer()));
}

async function fetchOf({ service, book }: Place, path: string): Promise<Response> {
  const answer = await fetch(service.url + path, {
    headers: { authorization: `Bearer ${book.accessToken}` },
  });
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
  return answer;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
