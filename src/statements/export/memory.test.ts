import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { exporter, setsOf, statementOf } from "../../../test/statement-of.ts";
import { type ExportFormat, exportFormats, writeExport } from "./write-export.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** An attachment of a PDF has so many, and is held until it is whole. */
const linesOfAttachment = 10_000;
const count = 3 * linesOfAttachment;
const linesAtOnce = 500;
const setsPerLook = 4;

/**
 * What is held while an export is written, each time after what was not needed has been let go: the most during its first
 * third, and the most during its last.
 */
async function heldWhile(format: ExportFormat): Promise<readonly [number, number]> {
  const held = { first: 0, last: 0 };
  async function* measured() {
    let sets = 0;
    for await (const set of setsOf(count)) {
      sets += 1;
      yield set;
      const lines = sets * linesAtOnce;
      const third = lines <= count / 3 ? "first" : lines > (count * 2) / 3 ? "last" : undefined;
      if (third === undefined || sets % setsPerLook > 0) continue;
      collect();
      const { heapUsed, external } = process.memoryUsage();
      held[third] = Math.max(held[third], heapUsed + external);
    }
  }
  const { head, digestsAfter } = statementOf(linesAtOnce);
  const statement = { head: { ...head, count }, lines: measured(), digestsAfter };
  const choice = { format, dialect: "machine", language: "fr" } as const;
  for await (const _ of writeExport(statement, exporter, choice));
  return [held.first, held.last];
}

test.for(exportFormats)("memory does not grow with the lines: %s", async (format) => {
  const [first, last] = await heldWhile(format);

  // Twenty thousand lines lie between them; what is kept of each page and attachment is some bytes.
  expect(first).toBeGreaterThan(0);
  expect(last - first).toBeLessThan(4 * 1024 * 1024);
});
