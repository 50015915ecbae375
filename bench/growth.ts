import { totalmem } from "node:os";
import { auditChecks } from "../src/audit-checks.ts";
import { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { audit } from "../src/ledger/audit.ts";
import { connect } from "./batches.ts";
import { fillBooks, findSpots, type History, transfersOf } from "./fill-books.ts";
import { type Act, acts, type Place } from "./growth-acts.ts";
import { countPages, type Pages } from "./growth-pages.ts";
import type { Plan } from "./options.ts";
import type { Book, Postgres } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { median } from "./rounds.ts";
import { startService } from "./service.ts";

/**
 * A day makes 19 000 postings. Sums of statements are kept at every thousandth, so each day of either database begins
 * equally far behind one, and its statement is as much work.
 */
const shape = { setsPerDay: 10, setSize: 950 };
/** Hardly any: two days are whole, whatever the time is. */
const freshDays = 4;
const bytesMax = 1_300;

/** What docs/production.md says of memory, for this machine. */
export function settingsForYears(): Readonly<Record<string, string>> {
  return { shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB` };
}

/**
 * Part growth: what callers do, in a company with years of transfers behind it against one with a few days of the same
 * kind, in turns call by call. How many pages each of it touches. And what a transfer weighs at rest, everything counted.
 */
export async function growAgainstNew(
  postgres: Postgres,
  plan: Plan,
  stopped: AbortSignal,
  say: (line: string) => void,
): Promise<Finding[]> {
  const closings: (() => Promise<unknown>)[] = [];
  // One moment for both, so that their days begin and end alike.
  const until = new Date();
  try {
    const open = async (name: string, days: number): Promise<Place> => {
      const book = await postgres.makeBook(name);
      closings.unshift(() => book.close());
      const history = { ...shape, days, until };
      await fillAndTell(book, history, (line) => say(`${name}: ${line}`));
      await warmIndexes(book);
      const client = await connect(book);
      closings.unshift(() => client.end());
      const database = new Database({ url: book.url, poolSize: 1 });
      closings.unshift(() => database.close());
      const service = await startService(book, "api", stopped);
      closings.unshift(() => service.stop());
      const found = await findSpots(book, history, plan.growthSpots);
      const count = { accepted: 0 };
      return { book, history, service, database, client, spots: found, count };
    };
    const perDay = shape.setsPerDay * shape.setSize;
    const grown = await open("grown", Math.max(freshDays, Math.ceil(plan.grownTransfers / perDay)));
    const findings: Finding[] = [];
    const keep = (finding: Finding) => {
      say(`${finding.what}: ${finding.measured}; ${finding.against}`);
      findings.push(finding);
    };
    keep(await weigh(grown));
    const fresh = await open("fresh", freshDays);
    for (const act of acts) keep(await compareActs(plan, { grown, fresh }, act));
    say("auditing both");
    for (const { book } of [fresh, grown]) await auditOrThrow(book);
    return findings;
  } finally {
    for (const close of closings) await close();
  }
}

/** As in a server that has run for a while with the memory that docs/production.md asks for: its indexes are in it. */
async function warmIndexes({ database }: Book): Promise<void> {
  await database.query(sql`create extension if not exists pg_prewarm`);
  await database.query(sql`
    select pg_prewarm(c.oid) from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'i'`);
}

async function fillAndTell(
  book: Book,
  history: History,
  say: (line: string) => void,
): Promise<void> {
  const before = performance.now();
  const seconds = () => `${whole((performance.now() - before) / 1_000)} s`;
  const all = transfersOf(history);
  let toldAt = 0;
  await fillBooks(book, history, (done) => {
    if (done - toldAt < all / 10) return;
    toldAt = done;
    say(`${whole(done)} transfers after ${seconds()}`);
  });
  say(`filled after ${seconds()}`);
}

async function compareActs(
  plan: Plan,
  places: { readonly grown: Place; readonly fresh: Place },
  act: Act,
): Promise<Finding> {
  const { grown, fresh } = places;
  const pages = { grown: await countPages(grown, act), fresh: await countPages(fresh, act) };
  const turns = { next: 0 };
  const first = await runRound({ turns: plan.growthSpots * (act.share ?? 1) }, turns, places, act);
  const rounds: Round[] = [];
  while (rounds.length < plan.rounds)
    rounds.push(await runRound({ seconds: plan.growthSeconds / plan.rounds }, turns, places, act));
  const grownMs = median(rounds.flatMap((round) => round.grown));
  const freshMs = median(rounds.flatMap((round) => round.fresh));
  const ratios = rounds.map((round) => median(round.fresh) / median(round.grown));
  const count = (of: Pages) => `${whole(of.touched)} pages, ${whole(of.walBytes)} bytes of log`;
  return {
    id: `growth ${act.what}`,
    what: `(growth) ${act.what}, ${whole(transfersOf(grown.history))} transfers`,
    measured: `${rounded(grownMs, 2)} ms, ${count(pages.grown)}`,
    against: `${whole(transfersOf(fresh.history))}: ${rounded(freshMs, 2)} ms, ${count(pages.fresh)}`,
    ratio: median(ratios),
    ...(act.target === undefined ? {} : { target: act.target }),
    numbers: {
      grownMs: rounded(grownMs),
      freshMs: rounded(freshMs),
      // Where nobody had been since the filling: some of it comes from the disk.
      grownFirstMs: rounded(median(first.grown)),
      freshFirstMs: rounded(median(first.fresh)),
      ratios: ratios.map((ratio) => rounded(ratio)),
      // The slowest calls included, among which are those that met a checkpoint.
      ratioOfSums: rounded(sumOf(rounds, "fresh") / sumOf(rounds, "grown")),
      calls: rounds.reduce((calls, round) => calls + round.grown.length, 0),
      pages,
    },
  };
}

interface Round {
  readonly grown: number[];
  readonly fresh: number[];
}

/** Call by call, and neither always comes after the other: what slows the machine for a while slows both. */
async function runRound(
  { seconds = 0, turns: least = 1 }: { readonly seconds?: number; readonly turns?: number },
  turns: { next: number },
  { grown, fresh }: { readonly grown: Place; readonly fresh: Place },
  act: Act,
): Promise<Round> {
  const round: Round = { grown: [], fresh: [] };
  const deadline = performance.now() + 2 * seconds * 1_000;
  do {
    const turn = turns.next;
    const both = [
      { place: grown, times: round.grown },
      { place: fresh, times: round.fresh },
    ];
    for (const { place, times } of turn % 2 === 0 ? both : both.toReversed()) {
      await act.prepare?.(place);
      times.push(await act.time(place, turn % place.spots.length));
    }
    turns.next += 1;
  } while (round.grown.length < least || performance.now() < deadline);
  return round;
}

function sumOf(rounds: readonly Round[], side: keyof Round): number {
  return rounds.flatMap((round) => round[side]).reduce((sum, ms) => sum + ms, 0);
}

/** Everything that is on the disk for the transfers: tables, indexes, and what belongs to them. */
async function weigh({ book, history }: Place): Promise<Finding> {
  const filled = transfersOf(history);
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

async function auditOrThrow({ database }: Book): Promise<void> {
  const results = await audit(database, auditChecks);
  const found = results.flatMap(({ differences }) => differences);
  if (found.length > 0) throw new Error(`the books are not in order: ${JSON.stringify(found[0])}`);
}
