import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { test } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { Database } from "./database.ts";
import { DatabaseUnavailable, UnreadableTimelines } from "./errors.ts";
import { sql } from "./sql.ts";
import { Timelines } from "./timelines.ts";
import { keepTimelines, readTimelines } from "./timelines-file.ts";

const at = (timeline: number, system = "7") => ({ system, timeline });

test("a server on an older timeline than the newest that was seen went back in time", () => {
  const timelines = new Timelines([["7", 3]]);

  expect(timelines.problemWith(at(2))).toContain("it is on timeline 2, and timeline 3 was seen");
  expect(timelines.problemWith(at(3))).toBeUndefined();
  expect(timelines.problemWith(at(4))).toBeUndefined();
  expect(timelines.problemWith(at(3))).toContain("went back in time");
  expect([timelines.isPast(at(3)), timelines.isPast(at(4))]).toEqual([true, false]);
});

test("a process stays with the database it began with, and another process may begin with another", () => {
  const timelines = new Timelines([["7", 3]]);

  expect(timelines.problemWith(at(1, "8"))).toBeUndefined();
  expect(timelines.problemWith(at(3))).toContain("belongs to another database");
});

test("what a service has seen is refused by the next one, and by commands, which write nothing down", async () => {
  const folder = await makeFolder();
  const kept = await keepTimelines(folder, () => {});
  kept.problemWith(at(1));
  kept.problemWith(at(2));
  const path = join(folder, "timelines.json");
  await expect.poll(() => readFile(path, "utf8").catch(() => ""), patience).toBe('{"7":2}\n');

  const read = await readTimelines(folder);
  expect(read.problemWith(at(1))).toContain("went back in time");
  expect(read.problemWith(at(3))).toBeUndefined();
  expect(await readFile(path, "utf8")).toBe('{"7":2}\n');
});

test("a file that cannot be written is told; one that is damaged is not taken for none", async () => {
  const folder = await makeFolder();
  const said: string[] = [];
  await writeFile(join(folder, "no-folder"), "");
  const kept = await keepTimelines(join(folder, "no-folder"), (message) => said.push(message));
  expect(kept.problemWith(at(1))).toBeUndefined();
  await expect
    .poll(() => said, patience)
    .toEqual([expect.stringContaining("would not be noticed")]);

  for (const text of ["{", '{"7":"one"}', ""]) {
    await writeFile(join(folder, "timelines.json"), text);
    await expect(readTimelines(folder)).rejects.toThrow(UnreadableTimelines);
  }
});

test("503: nothing is read or written at a server that went back, and open connections to one are cut", async ({
  db,
}) => {
  const [position] = await db.database.query<{ system: string; timeline: number }>(sql`
    select system_identifier::text as system, 1 as timeline from pg_control_system()`);
  const timelines = new Timelines();
  const said: string[] = [];
  const database = new Database({
    url: db.url,
    poolSize: 2,
    timelines,
    onGraveProblem: (message) => said.push(message),
  });
  onTestFinished(() => database.close());
  await database.query(sql`select 1`);

  // As if another connection had found a promoted standby, while a statement is under way here.
  const underWay = expect(database.query(sql`select pg_sleep(60)`)).rejects.toThrow(
    DatabaseUnavailable,
  );
  timelines.problemWith({ system: position?.system ?? "", timeline: 2_000 });
  await underWay;
  await expect(database.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable);
  expect(said).toEqual([expect.stringContaining("went back in time")]);
  expect(database.servers.graveProblem).toContain("timeline 2000 was seen");
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-timelines-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
