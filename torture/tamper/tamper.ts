import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { Database, type Tx } from "../../src/database/database.ts";
import { type SecretBox, secretBox } from "../../src/kernel/secret-box.ts";
import { auditLedgerKeys } from "../../src/statements/audit-keys.ts";
import { ledgerKeyIn } from "../../src/statements/ledger-key.ts";
import { onPlace } from "../ground.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { readCatalog } from "./catalog.ts";
import {
  type Coverage,
  coveragePath,
  harmlessPlaces,
  readCoverage,
  whyHarmless,
} from "./coverage.ts";
import { earlier } from "./earlier.ts";
import { Judge, type Verdict } from "./judge.ts";
import { populate } from "./populate.ts";
import { type Finding, survey } from "./survey.ts";
import { inTown } from "./town.ts";

/** Which share of the places a run looks at, and on how many rows of each table. */
const extents = {
  // Which row stands first follows from when things were made, so a sample would not be the same in each run.
  short: { share: 0, rowsMax: 1 },
  full: { share: 1, rowsMax: 1 },
} as const;

export const tamper: Part = {
  name: "tamper",
  promises:
    "Nobody changes, deletes, inserts or swaps anything in any table without the audit noticing, unless docs/coverage.md says why that is harmless.",
  run: (campaign) => onPlace({}, ({ databaseUrl }) => tamperWith(campaign, databaseUrl)),
};

/** On an empty, migrated database. */
export async function tamperWith(campaign: Campaign, databaseUrl: string): Promise<PartReport> {
  const { random, scale, deadline, progress } = campaign;
  const box = secretBox(randomBytes(32));
  progress("making everything that there is to change");
  await inTown(databaseUrl, box, populate);
  const database = new Database({ url: databaseUrl, poolSize: 3 });
  try {
    const judge = new Judge(database, (tx) => findForeignKey(tx, box));
    const clean = await judge.look();
    if (clean !== undefined) return { counts: {}, findings: [`before anything: ${clean}`] };
    const tables = await readCatalog(database);
    const coverage = readCoverage();
    const { share, rowsMax } = extents[scale];
    const isChosen = (place: string) =>
      share === 1 || (whyHarmless(place) === undefined && random.isLikely(share));
    const found = await survey({
      judge,
      database,
      rowsMax,
      tables,
      coverage,
      isChosen,
      progress,
      deadline,
    });
    const unseen: string[] = [];
    for (const [name, texts] of Object.entries(earlier)) {
      if (deadline.aborted) break;
      progress(name);
      const verdict: Verdict = await judge.judge(name, texts);
      if (verdict.kind === "unnoticed" || verdict.kind === "void")
        unseen.push(`${name}: ${verdict.kind}`);
    }
    if (process.env["COVERAGE"] === "write") await keepCoverage(found);
    return {
      counts: countOf(found, unseen),
      findings: [...unseen, ...compare(found, coverage, scale === "full")],
    };
  } finally {
    await database.close();
  }
}

/** What needs the operator's key, as `cauri audit` has it. */
async function findForeignKey(tx: Tx, box: SecretBox): Promise<string | undefined> {
  const { check, differences } = await auditLedgerKeys(tx, ledgerKeyIn(box));
  return differences.length > 0 ? check : undefined;
}

/** Where the campaign and the declarations disagree. */
function compare(found: readonly Finding[], coverage: Coverage, isFull: boolean): string[] {
  return found.flatMap(({ place, noticed, refused, unnoticed }) => {
    const isSeen = noticed.size + refused.size > 0;
    if (whyHarmless(place) !== undefined)
      // Of a table that is harmless as a whole some columns may be noticed.
      return isFull && harmlessPlaces.has(place) && isSeen && unnoticed.length === 0
        ? [`${place} is declared harmless, and every change of it is noticed`]
        : [];
    const [first] = unnoticed;
    if (first !== undefined) return [`${place}: nothing notices ${first.replaceAll(/\s+/g, " ")}`];
    if (!isSeen) return [];
    const declared = coverage[place];
    if (declared === undefined)
      return [`${place} is neither noticed nor harmless in docs/coverage.md`];
    const seen = [...noticed.keys(), ...[...refused].map((name) => `constraint: ${name}`)];
    return isFull && isSeen && !seen.includes(declared)
      ? [`${place} is noticed by ${seen.join(", ")}, and not by what is declared: ${declared}`]
      : [];
  });
}

function countOf(found: readonly Finding[], unseen: readonly string[]): Record<string, number> {
  const changes = found.flatMap(({ noticed, refused, unnoticed }) => [
    [...noticed.values()].reduce((sum, count) => sum + count, 0),
    refused.size,
    unnoticed.length,
  ]);
  return {
    places: found.length,
    "changes made or refused": changes.reduce((sum, count) => sum + count, 0),
    "places where something went unnoticed": found.filter(({ unnoticed }) => unnoticed.length > 0)
      .length,
    "kinds of 196ecda tried": Object.keys(earlier).length,
    "of them unnoticed": unseen.length,
  };
}

/** With COVERAGE=write a whole campaign writes what noticed each place most often: the declarations that later runs are held to. */
async function keepCoverage(found: readonly Finding[]): Promise<void> {
  const entries = found
    .filter(({ place }) => whyHarmless(place) === undefined)
    .map(({ place, noticed, refused }) => {
      const [most] = [...noticed].toSorted(([, one], [, other]) => other - one);
      const [constraint] = refused;
      return [place, most?.[0] ?? (constraint === undefined ? "" : `constraint: ${constraint}`)];
    })
    .filter(([, by]) => by !== "");
  await writeFile(coveragePath, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}
