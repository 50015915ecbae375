import { writeFile } from "node:fs/promises";
import { arch, cpus, platform, totalmem } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/kernel/root.ts";
import { acceptAgainstBare, acceptAgainstTextbook } from "./accept.ts";
import { batchesAgainstBareCall } from "./batches.ts";
import { costsPerTransfer } from "./costs.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { type Book, type Postgres, type PostgresFacts, startPostgres } from "./postgres.ts";
import { type Finding, isMissed, toTable } from "./report.ts";
import { serveUnderTest } from "./server.ts";
import { type Service, serverArgument, startService } from "./service.ts";
import { acceptAndSettle } from "./settle.ts";

type Step = (service: Service, book: Book) => Promise<Finding | Finding[]>;

async function bench(options: Options): Promise<void> {
  const stop = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        stop.abort();
        reject(new Error(`stopped by ${signal}`));
      });
    }
  });
  say("Starting a PostgreSQL for this run …");
  const postgres = await startPostgres();
  try {
    const findings = await Promise.race([measureAll(options, postgres, stop.signal), stopped]);
    await report(options, postgres.facts, findings);
  } finally {
    await postgres.stop();
  }
}

async function measureAll(
  { plan, only }: Options,
  postgres: Postgres,
  stopped: AbortSignal,
): Promise<Finding[]> {
  const accepting: Step[] = [
    ...(only.has("a")
      ? [64, 256].map(
          (connections): Step =>
            (service, book) =>
              acceptAgainstBare(service, book, plan, connections),
        )
      : []),
    ...(only.has("b")
      ? [(service: Service, book: Book) => acceptAgainstTextbook(service, book, plan)]
      : []),
    ...(only.has("c")
      ? [(service: Service, book: Book) => batchesAgainstBareCall(service, book, plan)]
      : []),
    ...(only.has("e")
      ? [(service: Service, book: Book) => costsPerTransfer(service, book, plan)]
      : []),
  ];
  const settling: Step[] = only.has("d")
    ? [(service, book) => acceptAndSettle(service, book, plan)]
    : [];
  return [
    ...(await run(accepting, postgres, "accepting", "api", stopped)),
    ...(await run(settling, postgres, "settling", "api,worker", stopped)),
  ].toSorted((one, other) => one.id.charCodeAt(0) - other.id.charCodeAt(0));
}

/** A database and a server for these steps alone: no step works on what another kind left behind. */
async function run(
  steps: readonly Step[],
  postgres: Postgres,
  name: string,
  roles: string,
  stopped: AbortSignal,
): Promise<Finding[]> {
  if (steps.length === 0) return [];
  const book = await postgres.makeBook(name);
  const service = await startService(book, roles, stopped);
  try {
    const findings: Finding[] = [];
    for (const step of steps) {
      const found = [await step(service, book)].flat();
      for (const { what, measured, against } of found) say(`${what}: ${measured}; ${against}`);
      findings.push(...found);
    }
    return findings;
  } finally {
    await service.stop();
    await book.close();
  }
}

async function report(
  options: Options,
  postgres: PostgresFacts,
  findings: readonly Finding[],
): Promise<void> {
  const [cpu] = cpus();
  const machine = {
    cores: cpus().length,
    cpu: cpu?.model.trim() ?? "unknown",
    memoryMb: Math.round(totalmem() / 2 ** 20),
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
  process.stdout.write(`\n${toTable(findings)}\n\n`);
  process.stdout.write(
    `${machine.cores} × ${machine.cpu}, Node.js ${machine.node}, PostgreSQL ${postgres.version}, fsync ${postgres.fsync}.\n`,
  );
  if (options.output !== undefined) {
    const results = {
      date: new Date().toISOString(),
      machine,
      postgres,
      plan: options.plan,
      findings,
    };
    await writeFile(options.output, `${JSON.stringify(results, null, 2)}\n`);
    say(`The numbers are in ${options.output}.`);
  }
  const missed = findings.filter(isMissed);
  if (missed.length === 0) return;
  const names = missed.map(({ id }) => id).join(", ");
  if (options.isQuick) say(`Below target, in a run too short to say so: ${names}.`);
  else throw new Error(`Missed: ${names}.`);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args[0] === serverArgument) return serveUnderTest();
  if (args.includes("--help")) return say(usage);
  await bench(readOptions(args, join(packageRoot, "bench/results.json")));
}

try {
  await main();
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  // A load that was under way would keep the process running.
  process.exit(1);
}
