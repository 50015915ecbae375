import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { plant, readMutants } from "../scripts/mutants/mutant.ts";
import { packageRoot } from "../src/kernel/root.ts";

const mutants = readMutants();
const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");

test("every mistake of the lists can still be planted, and what comes of it can be read", () => {
  for (const mutant of mutants) {
    const planted = plant(mutant, read(mutant.file));
    const kind = extname(mutant.file).slice(1);
    if (kind === "ts" || kind === "tsx")
      expect(() => transformSync(planted, { loader: kind }), mutant.name).not.toThrow();
  }
});

test("each has a name of its own, and tests that are there and run what they test in their own process", () => {
  const names = mutants.map(({ area, name }) => `${area} ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  expect(tests.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
  // A process that is started runs what was built, which has no mistake in it.
  expect(tests.filter((path) => read(path).includes("startProcess("))).toEqual([]);
  // Where a test is for several things, its last word may be one of them.
  const says = (path: string, named: string) =>
    [named, named.replace(/ \S+$/, "")].some((words) => read(path).includes(words));
  const unknown = mutants.filter(
    ({ tests: files, named }) => named !== undefined && !files.some((path) => says(path, named)),
  );
  expect(unknown.map(({ name }) => name)).toEqual([]);
});

test("there are at least 120, and some of every part that must not fail", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(120);
  const areas = new Set(mutants.map(({ area }) => area));
  for (const area of ["approvals", "console", "money", "staff", "statements", "webhooks"])
    expect(areas).toContain(area);
});
