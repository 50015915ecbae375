import { setMaxListeners } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine, isBusy } from "../machine.ts";
import { Contender } from "./contender.ts";
import { findLoadGenerator } from "./load.ts";
import { Notifications } from "./notifications.ts";
import type { Options, Part } from "./options.ts";
import { profiler } from "./profile.ts";
import { type Measure, type Round, toAgainstTable, toJson, toMeasures } from "./report.ts";
import { RunPostgres } from "./run-postgres.ts";
import { type Bench, type TransferPart, takeBareTurn, takeTurn } from "./transfers.ts";
import { type Tree, treeHere, withTreeOf } from "./tree.ts";
import { waitSampler } from "./waits.ts";

type Take = (who: keyof Round) => Promise<Round[keyof Round]>;

const transferParts: Record<Exclude<Part, "notifications">, TransferPart> = {
  "settle-64": { isSettling: true, connections: 64 },
  "settle-256": { isSettling: true, connections: 256 },
  "accept-64": { isSettling: false, connections: 64 },
  "accept-256": { isSettling: false, connections: 256 },
};

/** Compares this checkout with another commit, or looks at what they do. Whatever it made is gone afterwards. */
export async function benchAgainst(options: Options): Promise<void> {
  const stop = new AbortController();
  // Every request and every process in hand listens for it.
  setMaxListeners(0, stop.signal);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
  const folder = await mkdtemp(join(tmpdir(), "cauri-turns-"));
  try {
    const here = await treeHere();
    if (options.commit === undefined) return await runTrees(options, [here], folder, stop.signal);
    say(`Building ${options.commit} …`);
    await withTreeOf(options.commit, stop.signal, (other) =>
      runTrees(options, [here, other], folder, stop.signal),
    );
  } catch (error) {
    // Everything that was under way has failed for this one reason.
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runTrees(
  options: Options,
  trees: readonly Tree[],
  folder: string,
  stopped: AbortSignal,
): Promise<void> {
  const { plan, look } = options;
  const machine = describeMachine();
  if (isBusy(machine))
    say(`This machine is busy (load ${machine.loadBefore}): expect lower numbers and ratios.`);
  const generator = await findLoadGenerator(say);
  await RunPostgres.with(look === "profile", async (postgres) => {
    const bench: Bench = { postgres, generator, plan, stopped };
    const contenders: Contender[] = [];
    for (const [place, tree] of trees.entries()) {
      say(`Preparing ${tree.name} …`);
      contenders.push(
        await Contender.prepare(tree, place, postgres, folder, plan.history, stopped),
      );
    }
    if (look !== undefined) return lookAt(bench, look, options.only, contenders, folder);
    const [here, other] = contenders;
    if (here === undefined || other === undefined) throw new Error("a comparison needs two");
    const measures = await compareAll(bench, options.only, here, other);
    process.stdout.write(`\n${toAgainstTable(here.name, other.name, measures)}\n\n`);
    process.stdout.write(
      `${machine.cores} × ${machine.cpu}, Node.js ${machine.node}, PostgreSQL ${postgres.facts.version}, fsync ${postgres.facts.fsync}, load by ${generator.name}, ${plan.rounds} rounds.\n`,
    );
    if (options.output === undefined) return;
    const contendersNamed = { here: here.name, other: other.name };
    const facts = { postgres: postgres.facts, loadGenerator: generator.name, plan };
    const date = new Date().toISOString();
    await writeFile(
      options.output,
      toJson({ date, machine, ...facts, contenders: contendersNamed, measures }),
    );
    say(`The numbers are in ${options.output}.`);
  });
}

/** Whole rounds one after the other: a machine that changes its pace does so for every part. */
async function compareAll(
  bench: Bench,
  only: ReadonlySet<Part>,
  here: Contender,
  other: Contender,
): Promise<Measure[]> {
  const rounds = new Map<Part, Round[]>([...only].map((part) => [part, []]));
  await Notifications.with(bench.plan, bench.stopped, async (notifications) => {
    for (let round = 0; round < bench.plan.rounds; round += 1) {
      for (const [part, done] of rounds) {
        const who = `round ${round + 1} of ${bench.plan.rounds}, ${part}`;
        done.push(await takeRound(who, round, takeOf(bench, part, notifications, here, other)));
      }
    }
  });
  return [...rounds].flatMap(([part, done]) => toMeasures(part, done));
}

function takeOf(
  bench: Bench,
  part: Part,
  notifications: Notifications,
  here: Contender,
  other: Contender,
): Take {
  const contenders = { here, other };
  if (part === "notifications")
    return (who) =>
      who === "bare"
        ? notifications.tellBare()
        : notifications.tell(contenders[who], bench.postgres);
  const transferPart = transferParts[part];
  return (who) =>
    who === "bare"
      ? takeBareTurn(bench, transferPart.connections)
      : takeTurn(bench, contenders[who], transferPart);
}

/** Every other round runs the other way round, so that nobody always comes after the same one. */
async function takeRound(name: string, round: number, take: Take): Promise<Round> {
  const order = ["here", "other", "bare"] as const;
  const turns: Partial<Record<keyof Round, Round[keyof Round]>> = {};
  for (const who of round % 2 === 0 ? order : order.toReversed()) turns[who] = await take(who);
  const { here, other, bare } = turns;
  if (here === undefined || other === undefined || bare === undefined)
    throw new Error("a round has three turns");
  const rates = [here, other, bare].map(({ perSecond }) => Math.round(perSecond));
  say(`${name}: ${rates[0]}/s, ${rates[1]}/s, bare ${rates[2]}/s`);
  return { here, other, bare };
}

async function lookAt(
  bench: Bench,
  look: "profile" | "waits",
  only: ReadonlySet<Part>,
  contenders: readonly Contender[],
  folder: string,
): Promise<void> {
  for (const part of only) {
    if (part === "notifications") throw new Error(`--${look} looks at transfers only`);
    for (const [place, contender] of contenders.entries()) {
      const watcher =
        look === "waits" ? waitSampler() : profiler(join(folder, `profile_${part}_${place}`));
      const { perSecond } = await takeTurn(bench, contender, transferParts[part], watcher);
      const heading = `${contender.name}, ${part}: ${Math.round(perSecond)}/s`;
      process.stdout.write(`\n${heading}\n${watcher.describe()}\n`);
    }
  }
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
