import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PlanUnreadable } from "./errors.ts";
import { keepPastImport, readPastImports } from "./past-imports.ts";
import type { Plan } from "./plan.ts";
import { findPlan, keepPlan } from "./plan-file.ts";

const plan: Plan = {
  version: 1,
  fileHash: "a".repeat(64),
  file: "payroll.csv",
  companyId: "com_1",
  count: 3,
  total: 15_000,
  fees: 0,
  chunkRows: 1_000,
  sentCount: 0,
  startedAt: "2026-01-31T09:00:00.000Z",
  endedAt: null,
};

test("a plan is found as it was kept, for its owner's eyes alone, and leaves nothing else behind", async () => {
  const folder = await makeFolder();
  const path = join(folder, "payroll.csv.plan.json");
  expect(await findPlan(path)).toBeUndefined();

  await keepPlan(path, plan);
  await keepPlan(path, { ...plan, sentCount: 2 });

  expect(await findPlan(path)).toEqual({ ...plan, sentCount: 2 });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["payroll.csv.plan.json"]);
});

test("half a plan, or one of another kind, is no plan: nothing is guessed from it", async () => {
  const path = join(await makeFolder(), "plan.json");
  for (const text of ["", '{"version":1', '{"version":2}', '{"version":1,"sentCount":"2"}', "[]"]) {
    await writeFile(path, text);
    await expect(findPlan(path), text).rejects.toBeInstanceOf(PlanUnreadable);
  }
});

test("what was paid is remembered once for each file and company, the newest first", async () => {
  const path = join(await makeFolder(), "home", "payouts.json");
  expect(await readPastImports(path)).toEqual([]);

  await keepPastImport(path, plan);
  await keepPastImport(path, { ...plan, companyId: "com_2" });
  await keepPastImport(path, { ...plan, endedAt: "2026-02-01T00:00:00.000Z" });

  expect((await readPastImports(path)).map((one) => [one.companyId, one.endedAt])).toEqual([
    ["com_1", "2026-02-01T00:00:00.000Z"],
    ["com_2", null],
  ]);
  await writeFile(path, "broken");
  expect(await readPastImports(path)).toEqual([]);
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-plan-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
