import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../src/kernel/root.ts";
import { acceptAgainstBare, acceptAgainstTextbook } from "./accept.ts";
import { benchAgainst } from "./against/bench-against.ts";
import { isAgainst, readAgainstOptions, usage as usageAgainst } from "./against/options.ts";
import { auditOneDay } from "./audit.ts";
import { batchesAgainstBareCall } from "./batches.ts";
import { chainAgainstNone } from "./chain.ts";
import { clusterAgainstOne } from "./cluster.ts";
import { chargesAgainstBare, pagesAgainstBare } from "./collect.ts";
import { costsPerTransfer } from "./costs.ts";
import { deliverBacklog, isolateEndpoints } from "./deliveries.ts";
import { growAgainstNew, settingsForYears } from "./growth.ts";
import { describeMachine, isBusy, type Machine } from "./machine.ts";
import { manyAgainstOne } from "./many-processes.ts";
import { type Options, type Part, readOptions, usage } from "./options.ts";
import { type Book, type Postgres, type PostgresFacts, startPostgres } from "./postgres.ts";
import { twoAgainstOne } from "./processes.ts";
import { receive, receiverArgument, senderArgument, sendWithoutDatabase } from "./receiver.ts";
import { type Finding, isMissed, toTable } from "./report.ts";
import { serveUnderTest } from "./server.ts";
import { type Service, serverArgument, startService } from "./service.ts";
import { acceptAndSettle } from "./settle.ts";
import { readStatements } from "./statements.ts";

type Step = (service: Service, book: Book) => Promise<Finding | Finding[]>;

async function bench(options: Options): Promise<void> {
  const machine = describeMachine();
  if (isBusy(machine))
    say(`This machine is busy (load ${machine.loadBefore}): expect lower numbers and ratios.`);
  const stop = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        stop.abort();
        reject(new Error(`stopped by ${signal}`));
      });
    }
  });
  // It may come before anybody waits for it; then it counts as soon as somebody does.
  stopped.catch(() => {});
  say("Starting a PostgreSQL for this run …");
  const isLarge = options.only.has("growth") || options.only.has("audit");
  const settings = isLarge ? settingsForYears() : {};
  const postgres = await startPostgres(options.isProfiling, settings);
  try {
    const findings = await Promise.race([measureAll(options, postgres, stop.signal), stopped]);
    await report(options, machine, postgres.facts, findings);
  } finally {
    await postgres.stop();
  }
}

async function measureAll(
  { plan, only }: Options,
  postgres: Postgres,
  stopped: AbortSignal,
): Promise<Finding[]> {
  const chosen = (steps: readonly { readonly part: Part; readonly step: Step }[]) =>
    steps.filter(({ part }) => only.has(part)).map(({ step }) => step);
  const accepting = chosen([
    { part: "a", step: (service, book) => acceptAgainstBare(service, book, plan, 64) },
    { part: "a", step: (service, book) => acceptAgainstBare(service, book, plan, 256) },
    { part: "b", step: (service, book) => acceptAgainstTextbook(service, book, plan) },
    { part: "c", step: (service, book) => batchesAgainstBareCall(service, book, plan) },
    { part: "e", step: (service, book) => costsPerTransfer(service, book, plan) },
  ]);
  const collecting = chosen([
    { part: "j", step: (service, book) => chargesAgainstBare(service, book, plan) },
    { part: "k", step: (service, book) => pagesAgainstBare(service, book, plan) },
  ]);
  const settling = chosen([
    { part: "d", step: (service, book) => acceptAndSettle(service, book, plan) },
  ]);
  const reading = chosen([
    { part: "n", step: (service, book) => readStatements(service, book, plan) },
  ]);
  return [
    ...(await run(accepting, postgres, "accepting", "api", stopped)),
    ...(await run(collecting, postgres, "collecting", "api", stopped)),
    ...(await run(settling, postgres, "settling", "api,worker", stopped)),
    ...(await run(reading, postgres, "reading", "api", stopped)),
    ...(only.has("f") ? await told(deliverBacklog(postgres, plan, stopped)) : []),
    ...(only.has("l") ? await told(twoAgainstOne(postgres, plan, stopped)) : []),
    ...(only.has("o") ? await told(manyAgainstOne(postgres, plan)) : []),
    ...(only.has("m") ? await told(chainAgainstNone(postgres, plan)) : []),
    ...(only.has("growth") ? await growAgainstNew(postgres, plan, stopped, say) : []),
    ...(only.has("audit") ? await told(auditOneDay(postgres, plan, say)) : []),
    ...(only.has("citus") ? await told(clusterAgainstOne(plan, say)) : []),
    ...(only.has("g") ? await told(isolateEndpoints(postgres, plan, stopped)) : []),
  ].toSorted((one, other) => one.id.charCodeAt(0) - other.id.charCodeAt(0));
}

async function told(measuring: Promise<Finding[]>): Promise<Finding[]> {
  const findings = await measuring;
  for (const { what, measured, against } of findings) say(`${what}: ${measured}; ${against}`);
  return findings;
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
      findings.push(...(await told(Promise.resolve(found))));
    }
    return findings;
  } finally {
    await service.stop();
    await book.close();
  }
}

async function report(
  options: Options,
  machine: Machine,
  postgres: PostgresFacts,
  findings: readonly Finding[],
): Promise<void> {
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
  if (options.isQuick || options.isProfiling)
    say(`Below target, in a run that cannot say so: ${names}.`);
  else throw new Error(`Missed: ${names}.`);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args[0] === serverArgument) return serveUnderTest();
  if (args[0] === receiverArgument) return receive();
  if (args[0] === senderArgument) return sendWithoutDatabase();
  if (args.includes("--help")) return say(`${usage}\n\n${usageAgainst}`);
  if (isAgainst(args))
    return benchAgainst(readAgainstOptions(args, join(packageRoot, "bench/against.json")));
  await bench(readOptions(args, join(packageRoot, "bench/results.json")));
}

try {
  await main();
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  // A load that was under way would keep the process running.
  process.exit(1);
}
