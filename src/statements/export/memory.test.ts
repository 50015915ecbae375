import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { exporter, statementOf } from "../../../test/statement-of.ts";
import { type ExportFormat, exportFormats, writeExport } from "./write-export.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** The most that was held at any time while an export was written, each time after what was not needed had been let go. */
async function heldWhile(format: ExportFormat, count: number): Promise<number> {
  let most = 0;
  const statement = statementOf(count);
  async function* measured() {
    let sets = 0;
    for await (const set of statement.lines) {
      sets += 1;
      if (sets % 8 === 0) {
        collect();
        const { heapUsed, external } = process.memoryUsage();
        most = Math.max(most, heapUsed + external);
      }
      yield set;
    }
  }
  const choice = { format, dialect: "machine", language: "fr" } as const;
  for await (const _ of writeExport({ ...statement, lines: measured() }, exporter, choice));
  return most;
}

test.for(exportFormats)("memory does not grow with the lines: %s", async (format) => {
  await heldWhile(format, 20_000);
  const few = await heldWhile(format, 20_000);
  const many = await heldWhile(format, 60_000);

  // Three times the lines; what is kept of each page and attachment is some bytes.
  expect(few).toBeGreaterThan(0);
  expect(many - few).toBeLessThan(8 * 1024 * 1024);
});
