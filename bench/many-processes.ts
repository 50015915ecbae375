import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCompany } from "../src/companies/create-company.ts";
import { chooseTestPort } from "../test/free-port.ts";
import { Program } from "../torture/program.ts";
import { path } from "./accept.ts";
import { benchBox, benchMasterKey } from "./keys.ts";
import { applyLoad } from "./load.ts";
import type { Plan } from "./options.ts";
import type { Book, Postgres } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { type Contender, compare, medianOf } from "./rounds.ts";
import { expectSoundBooks, untilSettled } from "./settle.ts";

const connections = 64;
export const companiesMany = 8;
export const fund = 1_000_000_000_000;

export interface Rate {
  readonly transfersPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Transfers in one call of the database, on average. */
  readonly setSize: number;
}

/** The service as PROCESSES starts it, on a database of its own. */
interface Node {
  readonly book: Book;
  readonly tokens: readonly string[];
  /** Of each process alone. */
  readonly addresses: readonly string[];
  readonly program: Program;
  readonly folder: string;
}

/**
 * Part o: PROCESSES=2 against PROCESSES=1, accepting and settling, for one company and for eight; the two at one address, where
 * each connection comes to either, and at an address each, where those of a company come to one of them. Each has a database of its
 * own: the workers of the one that rests would else work for the other.
 */
export async function manyAgainstOne(postgres: Postgres, plan: Plan): Promise<Finding[]> {
  const nodes: Node[] = [];
  try {
    const two = await startNode(postgres, "two_processes", 2, nodes);
    const one = await startNode(postgres, "one_process", 1, nodes);
    const findings: Finding[] = [];
    for (const companies of [1, companiesMany])
      for (const way of ["one address", "an address each"] as const)
        findings.push(await measure(plan, two, one, companies, way));
    for (const { book } of nodes) {
      await untilSettled(book);
      await expectSoundBooks(book);
    }
    return findings;
  } finally {
    for (const { program, book, folder } of nodes) {
      await program.end("SIGTERM");
      await book.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function measure(
  plan: Plan,
  two: Node,
  one: Node,
  companies: number,
  way: "one address" | "an address each",
): Promise<Finding> {
  const addresses = way === "one address" ? [two.program.url] : two.addresses;
  const { first, second, ratio, ratios } = await compare(
    plan,
    contender(two, companies, addresses),
    contender(one, companies),
  );
  return {
    id: way === "one address" ? `o-${companies}` : `o-${companies}-each`,
    what: `(o) PROCESSES=2 at ${way}, ${companies === 1 ? "one company" : `${companies} companies`}, ${connections} connections, settling on`,
    measured: describe(first),
    against: `PROCESSES=1: ${describe(second)}`,
    ratio,
    numbers: { two: first, one: second, ratios: ratios.map((r) => rounded(r)) },
  };
}

async function startNode(
  postgres: Postgres,
  name: string,
  processes: number,
  started: Node[],
): Promise<Node> {
  const book = await postgres.makeBook(name);
  const tokens = [book.accessToken];
  while (tokens.length < companiesMany) {
    const other = { name: `Bench ${tokens.length}`, fund };
    const { key } = await createCompany(book.database, benchBox, other);
    tokens.push(key.accessToken);
  }
  const folder = await mkdtemp(join(tmpdir(), "cauri-bench-node-"));
  const firstPort = await chooseTestPort(processes);
  const program = new Program(folder, {
    DATABASE_URL: book.url,
    MASTER_KEY: benchMasterKey,
    PROCESSES: String(processes),
    PROCESS_PORTS: String(firstPort),
    LOG_LEVEL: "warn",
    EVENT_LOOP_DELAY_MAX_MS: "0",
  });
  const addresses = Array.from(
    { length: processes },
    (_, place) => `http://127.0.0.1:${firstPort + place}`,
  );
  const node = { book, tokens, addresses, program, folder };
  started.push(node);
  await program.ready();
  return node;
}

/** The connections shared out among the companies, and those among the addresses; what they did together. */
export function contender(
  { program, tokens }: Pick<Node, "program" | "tokens">,
  companies: number,
  addresses: readonly string[] = [program.url],
): Contender<Rate> {
  return async (seconds) => {
    const before = await readSets(program.url);
    const results = await Promise.all(
      tokens.slice(0, companies).map((token, place) =>
        applyLoad({
          url: addresses[place % addresses.length] + path,
          token,
          connections: connections / companies,
          seconds,
          rows: 1,
        }),
      ),
    );
    const after = await readSets(program.url);
    return {
      transfersPerSecond: results.reduce((sum, result) => sum + result.transfersPerSecond, 0),
      p50Ms: Math.max(...results.map((result) => result.p50Ms)),
      p99Ms: Math.max(...results.map((result) => result.p99Ms)),
      setSize: (after.transfers - before.transfers) / (after.sets - before.sets),
    };
  };
}

/** /metrics is made at most once a second. */
const metricsKeptMs = 1_100;

async function readSets(url: string): Promise<{ transfers: number; sets: number }> {
  await new Promise((resolve) => setTimeout(resolve, metricsKeptMs));
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1] ?? 0);
  return {
    transfers: read("cauri_submission_set_size_sum"),
    sets: read("cauri_submission_set_size_count"),
  };
}

export function describe(results: readonly Rate[]): string {
  const median = (read: (result: Rate) => number) => whole(medianOf(results, read));
  const size = rounded(
    medianOf(results, ({ setSize }) => setSize),
    1,
  );
  return `${median((one) => one.transfersPerSecond)}/s (p50 ${median((one) => one.p50Ms)} ms, p99 ${median((one) => one.p99Ms)} ms), sets of ${size}`;
}
