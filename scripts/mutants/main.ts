import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../../src/kernel/root.ts";
import { type Mutant, plant, readMutants } from "./mutant.ts";
import { type Verdict, Workshop } from "./workshop.ts";

const usage = `npm run mutants -- [options]

Plants each mistake of test/mutants/ in a copy of the sources and runs the tests that have to notice it.

  --only AREA      only this list; may be given several times
  --match TEXT     only mutants whose name contains this
  --jobs N         so many at a time (2), each with a PostgreSQL of its own
  --resume         leave out what the report has of the same sources and tests
  --list           names them and ends
`;

const reportPath = join(packageRoot, "dist/mutants.json");
const noticedShareMin = 0.95;

interface Judged extends Verdict {
  readonly area: string;
  readonly name: string;
  readonly means: string;
  readonly equivalent: string | undefined;
  /** Of the mistake, its file and its tests: what a verdict is good for. */
  readonly fingerprint: string;
}

const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    match: { type: "string", default: "" },
    jobs: { type: "string", default: "2" },
    resume: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const chosen = readMutants().filter(
  ({ area, name }) =>
    (options.only.length === 0 || options.only.includes(area)) && name.includes(options.match),
);
if (options.help) say(usage);
else if (options.list)
  for (const { area, name, means } of chosen) say(`${area} · ${name}: ${means}`);
else process.exitCode = (await run(chosen, Number(options.jobs))) ? 0 : 1;

/** True when enough was noticed, and every survivor is explained. */
async function run(mutants: readonly Mutant[], jobs: number): Promise<boolean> {
  // All of them, before the first is tried: one that no longer applies is mended first.
  for (const mutant of mutants) plant(mutant, readFileSync(join(packageRoot, mutant.file), "utf8"));
  const known = readReport();
  const chosenOnes = new Set(mutants.map(fingerprintOf));
  const isChosen = ({ fingerprint }: Judged) => chosenOnes.has(fingerprint);
  // What was found out about others before stays in the report.
  const others = known.filter((one) => !isChosen(one));
  const judged = options.resume ? known.filter(isChosen) : [];
  const keep = () => writeFileSync(reportPath, JSON.stringify([...others, ...judged], null, 2));
  const left = mutants.filter(
    ({ area, name, equivalent }) =>
      equivalent === undefined && !judged.some((one) => one.area === area && one.name === name),
  );
  for (const mutant of mutants)
    if (mutant.equivalent !== undefined)
      judged.push({ ...described(mutant), outcome: "survived", by: [], files: [], seconds: 0 });
  // Whoever breaks it off gets what was found out until then, and nothing is left behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => left.splice(0, left.length));
  const workshops = await Promise.all(Array.from({ length: jobs }, () => Workshop.open()));
  try {
    if (!(await passesAsItIs(workshops, left))) return false;
    let begun = 0;
    await Promise.all(
      workshops.map(async (workshop) => {
        for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
          begun += 1;
          const verdict = await workshop.try(mutant);
          judged.push({ ...described(mutant), ...verdict });
          say(
            `${begun}. ${verdict.outcome} · ${mutant.area} · ${mutant.name} (${verdict.seconds} s)`,
          );
          if (verdict.outcome !== "noticed") say(`   ${mutant.means} ${verdict.by.join("\n")}`);
          keep();
        }
      }),
    );
  } finally {
    await Promise.all(workshops.map((workshop) => workshop.close()));
  }
  keep();
  return summarize(judged);
}

/** A test that fails without any mistake would seem to notice every one. */
async function passesAsItIs(
  workshops: readonly Workshop[],
  mutants: readonly Mutant[],
): Promise<boolean> {
  const whole = filesOf(mutants.filter(({ named }) => named === undefined));
  const chosenFrom = filesOf(mutants).filter((path) => !whole.includes(path));
  const names = [...new Set(mutants.flatMap(({ named }) => named ?? []))];
  say(
    `${mutants.length} mistakes, ${whole.length + chosenFrom.length} test files; first without any mistake …`,
  );
  const failed = await Promise.all(
    workshops.map(async (workshop, place) => {
      const share = (paths: readonly string[]) =>
        paths.filter((_, index) => index % workshops.length === place);
      const failing: string[] = [];
      if (share(whole).length > 0) failing.push(...(await workshop.runAsItIs(share(whole), [])));
      if (share(chosenFrom).length > 0)
        failing.push(...(await workshop.runAsItIs(share(chosenFrom), names)));
      return failing;
    }),
  );
  for (const test of failed.flat()) say(`fails without any mistake: ${test}`);
  return failed.flat().length === 0;
}

function filesOf(mutants: readonly Mutant[]): string[] {
  return [...new Set(mutants.flatMap(({ tests }) => tests))].toSorted();
}

function summarize(judged: readonly Judged[]): boolean {
  const areas = [...new Set(judged.map(({ area }) => area))].toSorted();
  const rowOf = (name: string, of: readonly Judged[]) => {
    const count = (test: (one: Judged) => boolean) => of.filter(test).length;
    const noticed = count(({ outcome }) => outcome === "noticed");
    const explained = count(({ equivalent }) => equivalent !== undefined);
    const survived = count(({ outcome }) => outcome === "survived") - explained;
    const broken = count(({ outcome }) => outcome === "broken");
    return [name, of.length, noticed, explained, survived, broken].join(" | ");
  };
  say("area | planted | noticed | explained | survived | broken");
  for (const area of areas)
    say(
      rowOf(
        area,
        judged.filter((one) => one.area === area),
      ),
    );
  say(rowOf("all", judged));
  for (const { area, name, equivalent } of judged)
    if (equivalent !== undefined) say(`explained: ${area} · ${name}: ${equivalent}`);
  const noticed = judged.filter(({ outcome }) => outcome === "noticed").length;
  const unexplained = judged.filter(
    ({ outcome, equivalent }) => outcome !== "noticed" && equivalent === undefined,
  );
  for (const { area, name, outcome } of unexplained) say(`${outcome}: ${area} · ${name}`);
  const share = judged.length === 0 ? 0 : noticed / judged.length;
  say(`${noticed} of ${judged.length} noticed: ${(share * 100).toFixed(1)} %. ${reportPath}`);
  return share >= noticedShareMin && unexplained.length === 0;
}

/** What was noticed in earlier runs, of mistakes, sources and tests that are still the same. */
function readReport(): Judged[] {
  if (!existsSync(reportPath)) return [];
  const known = JSON.parse(readFileSync(reportPath, "utf8")) as Judged[];
  const good = new Set(readMutants().map(fingerprintOf));
  return known.filter(({ fingerprint, outcome }) => good.has(fingerprint) && outcome === "noticed");
}

function described(
  mutant: Mutant,
): Pick<Judged, "area" | "name" | "means" | "equivalent" | "fingerprint"> {
  const { area, name, means, equivalent } = mutant;
  return { area, name, means, equivalent, fingerprint: fingerprintOf(mutant) };
}

function fingerprintOf(mutant: Mutant): string {
  const hash = createHash("sha256").update(JSON.stringify(mutant));
  for (const path of [mutant.file, ...mutant.tests])
    hash.update(readFileSync(join(packageRoot, path)));
  return hash.digest("hex");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
