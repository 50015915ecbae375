import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { exporter, setsOf, statementOf } from "../../../test/statement-of.ts";
import { type ExportFormat, exportFormats } from "../file-signature.ts";
import { writeExport } from "./write-export.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** An attachment of a PDF has so many, and is held until it is whole. */
const linesOfAttachment = 10_000;
const count = 3 * linesOfAttachment;
const linesAtOnce = 500;
const setsPerLook = 4;
const looks = 3;
/** Ten thousand lines lie between what is compared: a hundred bytes of each are too much, and its cells are several hundred. */
const grownMax = 1_000_000;

/**
 * What is held while an export is written, after what was not needed has been let go: the least during its second third,
 * when everything has been needed once, and the least during its last.
 */
async function heldWhile(format: ExportFormat): Promise<readonly [number, number]> {
  const held = { second: Number.POSITIVE_INFINITY, last: Number.POSITIVE_INFINITY };
  async function* measured() {
    let sets = 0;
    for await (const set of setsOf(count)) {
      sets += 1;
      yield set;
      const lines = sets * linesAtOnce;
      if (lines <= count / 3 || sets % setsPerLook > 0) continue;
      collect();
      const { heapUsed, external } = process.memoryUsage();
      const third = lines <= (count * 2) / 3 ? "second" : "last";
      held[third] = Math.min(held[third], heapUsed + external);
    }
  }
  const { head, digestsAfter } = statementOf(linesAtOnce);
  const statement = { head: { ...head, count }, lines: measured(), digestsAfter };
  const choice = { format, dialect: "machine", language: "fr" } as const;
  for await (const _ of writeExport(statement, exporter, choice));
  return [held.second, held.last];
}

test.for(exportFormats)("memory does not grow with the lines: %s", async (format) => {
  // What lines leave behind is there whenever it is looked for; what others in this process hold for a while is not.
  let grown = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looks && grown >= grownMax; look += 1) {
    const [second, last] = await heldWhile(format);
    grown = Math.min(grown, last - second);
  }
  expect(grown).toBeLessThan(grownMax);
});
