import { expect, test } from "vitest";
import { readBlocks } from "./blocks.ts";
import { guideFiles, guidesInOrder, readDocument } from "./guides.ts";

/** Of all guides and the README together. A reason is for what needs something that no test has. */
const notExecutedMax = 3;
const documents = ["README.md", ...guideFiles];
const clients = ["sdk/README.md", "sdk/php/README.md", "sdk/python/README.md"];

test("hardly a block of the guides and the README is left to faith", () => {
  const reasons = documents.flatMap((path) =>
    readBlocks(readDocument(path)).flatMap(({ notExecuted = [] }) => notExecuted),
  );

  expect(reasons.length).toBeLessThanOrEqual(notExecutedMax);
});

test("the list of guides names each of them", () => {
  expect(guidesInOrder.toSorted()).toEqual(guideFiles.toSorted());
});

/** Whoever follows a document has to see what went wrong. */
test("no command of the README, the guides or the clients throws its output or its failure away", () => {
  const hidden = [...documents, ...clients].flatMap((path) =>
    readDocument(path)
      .split("\n")
      .filter((line) => /\/dev\/null|&>|2>&-|\|\| true\b|curl [^|]*-o\b/.test(line))
      .map((line) => `${path}: ${line}`),
  );

  expect(hidden).toEqual([]);
});
