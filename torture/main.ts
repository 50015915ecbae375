import { writeFile } from "node:fs/promises";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/kernel/root.ts";
import { abuse } from "./abuse/abuse.ts";
import { accounts } from "./accounts/accounts.ts";
import { clock } from "./clock/clock.ts";
import { cost } from "./cost/cost.ts";
import { crash } from "./crash/crash.ts";
import { disk } from "./disk/disk.ts";
import { durable } from "./durable/durable.ts";
import { failover } from "./failover/failover.ts";
import { findings as earlierFindings } from "./findings/findings.ts";
import { forge } from "./forge/forge.ts";
import { history } from "./history/history.ts";
import { input } from "./input/input.ts";
import { isolation } from "./isolation/isolation.ts";
import { model } from "./model/model.ts";
import { network } from "./network/network.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { overload } from "./overload/overload.ts";
import type { Campaign, Part } from "./part.ts";
import { patroni } from "./patroni/patroni.ts";
import { payroll } from "./payroll/payroll.ts";
import { poll } from "./poll/poll.ts";
import { Random } from "./random.ts";
import { replay } from "./replay/replay.ts";
import { type PartResult, toFindings, toTable } from "./report.ts";
import { stall } from "./stall/stall.ts";
import { tamper } from "./tamper/tamper.ts";

const parts: readonly Part[] = [
  crash,
  history,
  durable,
  network,
  failover,
  patroni,
  stall,
  poll,
  model,
  clock,
  overload,
  abuse,
  disk,
  replay,
  payroll,
  input,
  cost,
  isolation,
  accounts,
  tamper,
  forge,
  earlierFindings,
];

const logEverySeconds = 5;

/** Runs the parts one after the other: each has the machine to itself, and its numbers mean something. */
async function torture(options: Options): Promise<void> {
  const chosen = parts.filter(
    ({ name }) => options.only.length === 0 || options.only.includes(name),
  );
  say(`Seed ${options.seed}: --seed ${options.seed} repeats this campaign's choices.`);
  const stop = new AbortController();
  const tell = () => {
    if (stop.signal.aborted) process.exit(1);
    say("Stopping; what was started is being cleaned up …");
    stop.abort();
  };
  process.on("SIGINT", tell);
  process.on("SIGTERM", tell);
  const limit = AbortSignal.timeout(options.minutes * 60_000);
  const deadline = AbortSignal.any([stop.signal, limit]);

  const started = new Date();
  const results: PartResult[] = [];
  for (const part of chosen) {
    if (deadline.aborted) break;
    results.push(await runPart(part, options, deadline));
  }
  const isAtEnd = results.length === chosen.length && !results.some(({ isCutShort }) => isCutShort);
  const path = options.report ?? (isAtEnd ? options.wholeReport : undefined);
  await report(options.seed, path, started, results);
  if (!isAtEnd) say("It was stopped before its end.");
  process.exitCode = isAtEnd && toFindings(results).length === 0 ? 0 : 1;
}

async function runPart(part: Part, options: Options, deadline: AbortSignal): Promise<PartResult> {
  const { name, promises } = part;
  say(`\n${name}: ${promises}`);
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  const progress = progressLine(name, seconds);
  const campaign: Campaign = {
    seed: options.seed,
    // Each part draws from its own stream, so that one can be repeated without the others.
    random: new Random(options.seed),
    scale: options.isShort ? "short" : "full",
    deadline,
    stallMs: options.stallSeconds * 1_000,
    program: options.program,
    on: options.on,
    historyFile: options.historyFile,
    progress: (text) => progress.show(text),
    note: (text) => {
      progress.end();
      say(text);
    },
  };
  let counts = {};
  let findings: readonly string[];
  try {
    ({ counts, findings } = await part.run(campaign));
  } catch (error) {
    findings = [`it ended with an error: ${error instanceof Error ? error.stack : String(error)}`];
  }
  progress.end();
  const result = { part: name, promises, seconds: seconds(), isCutShort: deadline.aborted };
  say(findings.length === 0 ? "nothing found" : `${findings.length} findings`);
  return { ...result, counts, findings };
}

/** One line that is written over in a terminal, and a line now and then in a log. */
function progressLine(name: string, seconds: () => number) {
  const { isTTY, columns } = process.stderr;
  let saidAt = Number.NEGATIVE_INFINITY;
  return {
    show(text: string): void {
      const line = `${name} ${seconds().toFixed(0).padStart(4)} s  ${text}`;
      if (isTTY) process.stderr.write(`\r\u001b[K${line.slice(0, columns - 1)}`);
      else if (seconds() - saidAt > logEverySeconds) {
        saidAt = seconds();
        say(line);
      }
    },
    end: () => void (isTTY && process.stderr.write("\r\u001b[K")),
  };
}

async function report(
  seed: number,
  path: string | undefined,
  started: Date,
  results: readonly PartResult[],
): Promise<void> {
  process.stdout.write(`\n${toTable(results)}\n`);
  for (const finding of toFindings(results)) process.stdout.write(`\nFOUND in ${finding}\n`);
  if (path === undefined) return;
  const seconds = Math.round((Date.now() - started.getTime()) / 1_000);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, ${platform()} ${arch()}, Node.js ${process.version}`;
  const document = { date: started.toISOString(), seed, seconds, machine, results };
  await writeFile(path, `${JSON.stringify(document, null, 2)}\n`);
  say(`\nThe report is in ${path}.`);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

const names = parts.map(({ name }) => name);
const args = process.argv.slice(2);
try {
  if (args.includes("--help")) say(usage(names));
  else await torture(readOptions(args, names, join(packageRoot, "torture/report.json")));
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
