import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readOrMakePrivateFile, writePrivateFile } from "./private-file.ts";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-private-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("of many who make a file at once, all get the one that was made, and never half of it", async () => {
  for (let round = 0; round < 5; round += 1) {
    const folder = await makeFolder();
    const path = join(folder, "below", "key");
    const asked: Promise<string>[] = [];
    for (let index = 0; index < 50; index += 1) {
      asked.push(readOrMakePrivateFile(path, () => `${index}`.padEnd(100_000, "x")));
      // One after the other, so that some of them come while another is writing.
      await setImmediate();
    }
    const got = await Promise.all(asked);
    expect(new Set(got).size).toBe(1);
    expect(got[0]).toHaveLength(100_000);
    expect(await readdir(join(folder, "below"))).toEqual(["key"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  }
});

test("writing replaces a file as a whole, and nobody else may read it", async () => {
  const folder = await makeFolder();
  const path = join(folder, "demo");
  for (const contents of ["a long first text", "second"]) await writePrivateFile(path, contents);
  expect(await readFile(path, "utf8")).toBe("second");
  expect(await readdir(folder)).toEqual(["demo"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
