import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../src/database/sql.ts";
import { signInto } from "../torture/api/console-visitor.ts";
import { Program } from "../torture/program.ts";
import { peakOf } from "../torture/run-measured.ts";
import { fillBooks, spread } from "./fill-books.ts";
import { benchMasterKey } from "./keys.ts";
import { type Book, startPostgres } from "./postgres.ts";
import { rounded, whole } from "./report.ts";

/**
 * What the console costs: `node dist/bench/console.js 1000000`. The first page of a company with ten thousand transfers and
 * of one with as many as are named, in turns, and the memory of a real process with fifty people clicking.
 */
const many = Number(process.argv[2] ?? 1_000_000);
const few = 10_000;
const filledDays = 100;
const turns = 400;
const warmUpTurns = 40;
const p95MaxMs = 100;
/** Flat: a hundred times as many transfers make no more of a difference than this. */
const ratioMax = 1.5;
const people = 50;
const clickingSeconds = 60;
/** Between two clicks of a person who does nothing else. */
const thinkMs = 250;
const megabytesMax = 300;
const sealedWithinMs = 600_000;
const pages = [
  "/console",
  "/console/transfers",
  "/console/transfers?limit=100",
  "/console/transfers?status=failed",
  "/console/statements",
  "/console/approvals",
  "/console/team",
  "/console/trail",
];

/** A company, and a service of its own. */
interface Place {
  readonly name: string;
  readonly book: Book;
  readonly program: Program;
  readonly cookies: readonly string[];
}

const folder = await mkdtemp(join(tmpdir(), "cauri-bench-console-"));
const postgres = await startPostgres(false);
const places: Place[] = [];
try {
  for (const [name, transfers] of [
    ["few", few],
    ["many", many],
  ] as const)
    places.push(await open(name, transfers));
  const [small, large] = places;
  if (small === undefined || large === undefined) throw new Error("there are two");
  const problems = [...(await compareHomes(small, large)), ...(await letClick(large))];
  if (problems.length > 0) throw new Error(problems.join("; "));
} finally {
  for (const { program, book } of places) {
    await program.end("SIGTERM");
    await book.close();
  }
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function open(name: string, transfers: number): Promise<Place> {
  const book = await postgres.makeBook(name);
  tell(`Filling a company with ${whole(transfers)} transfers …`);
  await fillBooks(book, spread(transfers, filledDays), () => {});
  const program = new Program(join(folder, name), {
    DATABASE_URL: book.url,
    MASTER_KEY: benchMasterKey,
    LOG_LEVEL: "warn",
    ROLES: "api,worker",
  });
  await program.ready();
  await untilSealed(book);
  const cookies: string[] = [];
  for (let index = 0; index < people; index += 1) {
    const email = `person-${index}@shop.example`;
    const { sessionToken } = await signInto(book.database, book.companyId, "owner", email);
    cookies.push(`cauri_console=${sessionToken}`);
  }
  return { name, book, program, cookies };
}

/** The charts have their days: a worker seals them first, as it does every night. */
async function untilSealed({ database, companyId }: Book): Promise<void> {
  const deadline = performance.now() + sealedWithinMs;
  while (performance.now() < deadline) {
    const [row] = await database.query<{ days: number }>(sql`
      select count(*)::integer as days from day_totals where company_id = ${companyId}`);
    if ((row?.days ?? 0) >= filledDays - 1) return;
    await sleep(500);
  }
  throw new Error("the days were not sealed in time");
}

async function click({ program }: Place, path: string, cookie: string): Promise<string> {
  const headers = { cookie, "accept-encoding": "gzip", "accept-language": "fr" };
  const response = await fetch(program.url + path, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
  return text;
}

async function compareHomes(small: Place, large: Place): Promise<string[]> {
  const times = new Map<Place, number[]>([
    [small, []],
    [large, []],
  ]);
  const cpuBefore = [await cpuMsOf(small), await cpuMsOf(large)];
  for (let turn = 0; turn < warmUpTurns + turns; turn += 1)
    for (const place of turn % 2 === 0 ? [small, large] : [large, small]) {
      const cookie = place.cookies[turn % people] ?? "";
      const begunMs = performance.now();
      await click(place, "/console?days=90", cookie);
      if (turn >= warmUpTurns) times.get(place)?.push(performance.now() - begunMs);
    }
  const cpu = [await cpuMsOf(small), await cpuMsOf(large)].map((ms, place) =>
    rounded((ms - (cpuBefore[place] ?? 0)) / (warmUpTurns + turns), 1),
  );
  const p95 = (place: Place) => at(times.get(place) ?? [], 0.95);
  const [before, after] = [p95(small), p95(large)];
  const ratio = rounded(after / before, 2);
  tell(
    `first page, 90 days: p95 ${rounded(before, 1)} ms at ${whole(few)} transfers, ${rounded(after, 1)} ms at ${whole(many)} (${ratio} ×); ` +
      `medians ${rounded(at(times.get(small) ?? [], 0.5), 1)} and ${rounded(at(times.get(large) ?? [], 0.5), 1)} ms; ` +
      `CPU of the service for a page ${cpu.join(" and ")} ms`,
  );
  return [
    ...(before > p95MaxMs ? [`the first page takes ${before} ms`] : []),
    ...(ratio > ratioMax ? [`the first page is ${ratio} times slower`] : []),
  ];
}

/** CPU time of a process so far, in steps of ten milliseconds; 0 where the system does not tell. */
async function cpuMsOf({ program }: Place): Promise<number> {
  const text = await readFile(`/proc/${program.process.pid}/stat`, "utf8").catch(() => "");
  const [user = 0, system = 0] = text
    .replace(/^.*\) /, "")
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Everybody opens one page after the other, and now and then a transfer. */
async function letClick(place: Place): Promise<string[]> {
  const idle = await peakOf(place.program.process);
  const deadline = performance.now() + clickingSeconds * 1_000;
  let clicks = 0;
  await Promise.all(
    place.cookies.map(async (cookie, person) => {
      for (let turn = person; performance.now() < deadline; turn += 1) {
        const text = await click(place, pages[turn % pages.length] ?? "/console", cookie);
        const [transfer] = /\/console\/transfers\/txn_\w+/.exec(text) ?? [];
        if (transfer !== undefined) await click(place, transfer, cookie);
        clicks += 1;
        await sleep(thinkMs);
      }
    }),
  );
  const most = await peakOf(place.program.process);
  tell(
    `${people} people for ${clickingSeconds} s: ${whole(clicks)} pages, at most ${most} MB of memory (${idle} MB before)`,
  );
  return most > megabytesMax ? [`the service came to hold ${most} MB`] : [];
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
