import { fork } from "node:child_process";
import { once } from "node:events";
import {
  type ExportFormat,
  exportFormats,
  writeExport,
} from "../src/statements/export/write-export.ts";
import { exporter, statementOf } from "../test/statement-of.ts";

/**
 * How much memory an export takes, each format in a process of its own: `node dist/bench/export-memory.js 1000000`.
 * The lines are made as they are asked for, as they would come from a database; the file goes nowhere.
 */
const [lines = "1000000", format] = process.argv.slice(2);
const choices = exportFormats.filter((one) => format === undefined || one === format);

if (format === undefined)
  for (const choice of choices) await once(fork(process.argv[1] ?? "", [lines, choice]), "exit");
else await measure(choices[0] ?? "csv", Number(lines));

async function measure(choice: ExportFormat, count: number): Promise<void> {
  const statement = statementOf(count);
  const startedMs = performance.now();
  let bytes = 0;
  const options = { format: choice, dialect: "machine", language: "fr" } as const;
  for await (const piece of writeExport(statement, exporter, options)) bytes += piece.length;
  const seconds = (performance.now() - startedMs) / 1_000;
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1_024);
  process.stdout.write(
    `${choice}: ${count} lines, ${Math.round(bytes / 1_000_000)} MB, ${seconds.toFixed(1)} s, at most ${peakMb} MB of memory\n`,
  );
}
