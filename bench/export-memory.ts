import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { companyIdPrefix } from "../src/companies/company.ts";
import { toPublicId } from "../src/kernel/ids.ts";
import { exportFormats } from "../src/statements/file-signature.ts";
import { Program } from "../torture/program.ts";
import { type MeasuredRun, peakOf, runMeasured } from "../torture/run-measured.ts";
import { benchMasterKey } from "./keys.ts";
import { type Book, startPostgres } from "./postgres.ts";
import { whole } from "./report.ts";
import { fillStatement } from "./statements.ts";

/**
 * How much memory real processes take to export a statement: `node dist/bench/export-memory.js 1000000`. The command
 * line writes each format in a process of its own, and a service of its own sends each. The peak is what the system counted.
 */
const lines = Number(process.argv[2] ?? 1_000_000);
const megabytesMax = 200;
const folder = await mkdtemp(join(tmpdir(), "cauri-export-memory-"));
const postgres = await startPostgres(false);
let most = 0;
try {
  const book = await postgres.makeBook("exports");
  process.stderr.write(`Filling a statement of ${whole(lines)} lines …\n`);
  await fillStatement(book, lines);
  const environment = { DATABASE_URL: book.url, MASTER_KEY: benchMasterKey, LOG_LEVEL: "silent" };
  await exportByCommand(book, environment);
  await exportOverHttp(book, environment);
  await book.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
if (most >= megabytesMax) throw new Error(`an export took ${most} MB of memory`);

async function exportByCommand(
  { companyId }: Book,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  for (const format of exportFormats) {
    const output = join(folder, `statement.${format}`);
    const startedMs = performance.now();
    const company = toPublicId(companyIdPrefix, companyId);
    const args = ["statement", "export", company, "--format", format, "--output", output];
    const run: MeasuredRun = await runMeasured(args, { DATA_DIR: folder, ...environment });
    if (run.code !== 0) throw new Error(`the export ended with ${run.code}: ${run.stderr}`);
    const { size } = await stat(output);
    tell(`cauri statement export, ${format}`, size, startedMs, run.megabytes);
    await rm(output);
  }
}

/** Before it exports anything, a service has loaded all of its code and opened its connections. */
async function exportOverHttp(
  { accessToken }: Book,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  for (const format of exportFormats) {
    const program = new Program(folder, { ...environment, LOG_LEVEL: "warn", ROLES: "api" });
    try {
      await program.ready();
      const before = await peakOf(program.process);
      const startedMs = performance.now();
      const answer = await fetch(`${program.url}/v1/statement.${format}`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      if (answer.status !== 200 || answer.body === null)
        throw new Error(`the export was answered ${answer.status}`);
      let bytes = 0;
      for await (const piece of answer.body) bytes += (piece as Uint8Array).length;
      const what = `GET /v1/statement.${format} of a service that held ${before} MB`;
      tell(what, bytes, startedMs, await peakOf(program.process));
    } finally {
      await program.end("SIGTERM");
    }
  }
}

function tell(what: string, bytes: number, startedMs: number, megabytes: number): void {
  most = Math.max(most, megabytes);
  const seconds = (performance.now() - startedMs) / 1_000;
  process.stdout.write(
    `${what}: ${whole(bytes / 1e6)} MB in ${seconds.toFixed(1)} s, at most ${megabytes} MB of memory\n`,
  );
}
