import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Node } from "../crash/node.ts";
import { onPlace, type Place } from "../ground.ts";
import { inFolder } from "../in-folder.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { untilReady } from "../until-ready.ts";
import type { Base, OnBase } from "./base.ts";
import { checkHistory } from "./check/check-history.ts";
import { Firm } from "./firm.ts";
import { Nemesis } from "./nemesis.ts";
import { onCitus } from "./on-citus.ts";
import { onOne } from "./on-one.ts";
import { onPair } from "./on-pair.ts";
import { onPatroni } from "./on-patroni.ts";
import { readFinalState } from "./read-final-state.ts";
import { Recorder } from "./recorder.ts";

const bases: Readonly<Record<string, OnBase>> = {
  one: onOne,
  pair: onPair,
  patroni: onPatroni,
  citus: onCitus,
};

const amounts = {
  short: { operations: 300, faults: 4 },
  full: { operations: 20_000, faults: 30 },
} as const;
/** One company is rich; the other is refused again and again, and is put money in. */
const funds = [1_000_000_000, 1_000_000];
const clientsEach = 4;
const startLimitMs = 120_000;
const recoveryLimitMs = 120_000;
const quietLimitMs = 240_000;
const nodeNames = ["one", "two"];

export const history: Part = {
  name: "history",
  promises:
    "What 8 clients saw at 2 nodes, while nodes and PostgreSQL stood still, were killed and came back, is explained by one order of what is in the books: nothing lost, twice, out of order or untold.",
  run: (campaign) =>
    inFolder(async (folder) => {
      const onBase = bases[campaign.on];
      if (onBase === undefined) throw new Error(`there is no base ${campaign.on}`);
      campaign.progress("starting the database");
      const root = campaign.program;
      const report = await onBase(
        folder,
        (base) =>
          onPlace({ databaseUrl: base.url, root }, (place) =>
            record(campaign, base, place, folder),
          ),
        root,
      );
      return typeof report === "string"
        ? { counts: { [`skipped: ${report}`]: 0 }, findings: [] }
        : report;
    }),
};

async function record(
  campaign: Campaign,
  base: Base,
  place: Place,
  folder: string,
): Promise<PartReport> {
  const { random, scale, progress, deadline, program: root } = campaign;
  const { operations, faults } = amounts[scale];
  const nodes = nodeNames.map(
    (name) => new Node(name, join(folder, name), place.environment, startLimitMs, root),
  );
  const path = join(folder, "history.ndjson");
  const recorder = new Recorder(path);
  const firms: Firm[] = [];
  try {
    await Promise.all(nodes.map((node) => node.start()));
    for (const fund of funds) firms.push(await Firm.open(place, nodes, fund));
    const nemesis = new Nemesis({
      nodes,
      faults: base.faults,
      random: random.fork(),
      recorder,
      count: faults,
      operations,
      tell: (what) => progress(`${recorder.decided} of ${operations} operations; ${what}`),
      deadline,
    });
    const broken = new AbortController();
    const isOver = () =>
      deadline.aborted ||
      broken.signal.aborted ||
      (nemesis.isDone && recorder.decided >= operations);
    const shared = { recorder, isOver };
    await Promise.all([
      // Nobody goes on for ever when a fault could not be inflicted.
      nemesis.run().catch((error: unknown) => {
        broken.abort();
        throw error;
      }),
      ...firms.map((firm, place_) =>
        firm.work({ ...shared, random: random.fork(), clients: clientsEach, name: `${place_}` }),
      ),
    ]);
    progress("recovering");
    const recovery = await Promise.all(nodes.map(({ url }) => untilReady(url, recoveryLimitMs)));
    const quiet = await firms[0]?.untilQuiet(quietLimitMs, scale);
    progress("reading what is in the books");
    const subjects = firms.map((firm) => firm.subject);
    const state = await readFinalState(place, subjects, root === undefined);
    const whole = await recorder.close(
      firms.flatMap((firm) => firm.told),
      state,
    );
    progress("checking the history");
    const { counts, findings } = checkHistory(whole);
    const all = [
      ...nodes.flatMap(({ deaths }) => deaths),
      ...recovery.flat(),
      ...(quiet ?? []),
      ...firms.flatMap((firm) => firm.oddities),
      ...findings,
    ];
    await keepFile(campaign, path, all.length > 0);
    return {
      counts: { faults: sumOf(nemesis.counts), ...counts, ...nemesis.counts },
      findings: all,
    };
  } finally {
    for (const firm of firms) await firm.close();
    for (const node of nodes) await node.destroy();
  }
}

/** Where somebody asked for it; and somewhere, when there is something to look into. */
async function keepFile(campaign: Campaign, path: string, isNeeded: boolean): Promise<void> {
  const { historyFile, seed, note } = campaign;
  const to = historyFile ?? (isNeeded ? join(tmpdir(), `cauri-history-${seed}.ndjson`) : undefined);
  if (to === undefined) return;
  await copyFile(path, to);
  note(`The history is in ${to}; node dist/torture/history/check-file.js ${to} checks it again.`);
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0);
}
