import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { auditDifferences, test } from "../fixtures.ts";
import { readBlocks } from "./blocks.ts";
import { playDocument } from "./play-document.ts";
import { openReadersFolder } from "./readers-folder.ts";

const folder = "docs/guides";
const guides = readdirSync(join(packageRoot, folder)).filter((name) => name !== "README.md");
const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
/** Of all guides and the README together. A reason is for what needs something that no test has. */
const notExecutedMax = 3;

test.for(guides)("%s: every block does what is written", async (name, { db }) => {
  const stage = await openReadersFolder(db);

  const { executed, notExecuted } = await playDocument(read(join(folder, name)), stage);

  console.info(`${name}: ${executed} blocks executed, ${notExecuted.length} not`, ...notExecuted);
  expect(executed).toBeGreaterThan(0);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("hardly a block of the guides and the README is left to faith", () => {
  const reasons = ["README.md", ...guides.map((name) => join(folder, name))].flatMap((path) =>
    readBlocks(read(path)).flatMap(({ notExecuted = [] }) => notExecuted),
  );

  expect(reasons.length).toBeLessThanOrEqual(notExecutedMax);
});

test("the list of guides names each of them", () => {
  const listed = [...read(join(folder, "README.md")).matchAll(/\]\(([\w-]+\.md)\)/g)];

  expect(listed.map(([, name = ""]) => name).toSorted()).toEqual(guides.toSorted());
});
