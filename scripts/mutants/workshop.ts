import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import pg from "pg";
import { startEmbedded } from "../../src/database/embedded/server.ts";
import { packageRoot } from "../../src/kernel/root.ts";
import { type Mutant, plant } from "./mutant.ts";

/** noticed: a test failed. survived: all passed. broken: the tests could not even be run, which proves nothing. */
type Outcome = "noticed" | "survived" | "broken";

export interface Verdict {
  readonly outcome: Outcome;
  /** The tests that failed, or why nothing could be said. */
  readonly by: readonly string[];
  /** The files of those tests. */
  readonly files: readonly string[];
  readonly seconds: number;
}

const configName = "mutants.vitest.config.ts";
const reportName = "mutants-outcome.json";
/** What hangs is noticed by this; it is far more than any of these tests takes. */
const testTimeoutMs = 180_000;
const runTimeoutMs = 15 * 60_000;
const connectionsMax = 400;

/** No browser is needed, and what was compiled once is compiled. */
const config = `
import type { UserConfig } from "vitest/config";
import base from "./vitest.config.ts";
export default (env: { mode: string; command: "serve" | "build" }): UserConfig => {
  const { test, ...rest } = base(env) as UserConfig;
  const experimental = { fsModuleCache: true, fsModuleCachePath: ".mutants-cache" };
  const reporters = [["json", { outputFile: "${reportName}" }]];
  return { ...rest, test: { ...test, globalSetup: ["test/postgres.ts"], reporters, testTimeout: ${testTimeoutMs}, experimental } };
};
`;

/** A copy of the sources in which mistakes are made, with a PostgreSQL that is kept from one to the next. */
export class Workshop {
  readonly #folder: string;
  readonly #databaseUrl: string;
  readonly #close: () => Promise<void>;

  private constructor(folder: string, databaseUrl: string, close: () => Promise<void>) {
    this.#folder = folder;
    this.#databaseUrl = databaseUrl;
    this.#close = close;
  }

  static async open(): Promise<Workshop> {
    const home = mkdtempSync(join(tmpdir(), "cauri-mutants-"));
    const folder = join(home, "tree");
    copyTree(folder);
    const settings = {
      max_connections: String(connectionsMax),
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
    };
    const dataDir = join(home, "data");
    const embedded = await startEmbedded({ dataDir, log: () => {}, settings });
    await hurry(embedded.adminUrl);
    return new Workshop(folder, embedded.adminUrl, async () => {
      await embedded.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    });
  }

  async close(): Promise<void> {
    await this.#close();
  }

  /** Makes the mistake, runs the tests that have to notice it, and takes it back. */
  async try(mutant: Mutant): Promise<Verdict> {
    const path = join(this.#folder, mutant.file);
    const source = readFileSync(path, "utf8");
    writeFileSync(path, plant(mutant, source));
    try {
      return await this.#run(mutant.tests, mutant.named === undefined ? [] : [mutant.named], 1);
    } finally {
      writeFileSync(path, source);
    }
  }

  /**
   * Runs tests without a mistake. What fails is tried once more: a machine that is busy with other things makes some too late.
   * Answers what has to be mended first.
   */
  async runAsItIs(tests: readonly string[], names: readonly string[]): Promise<readonly string[]> {
    const first = await this.#run(tests, names, 0);
    if (first.outcome === "survived") return [];
    const again = await this.#run(first.files.length === 0 ? tests : first.files, names, 0);
    return again.outcome === "survived" ? [] : again.by;
  }

  /** All tests of these files, or those whose names contain one of these texts; until so many have failed. */
  async #run(tests: readonly string[], names: readonly string[], bail: number): Promise<Verdict> {
    const report = join(this.#folder, reportName);
    await rm(report, { force: true });
    const begun = performance.now();
    const { code, output } = await this.#vitest([
      `--bail=${bail}`,
      ...tests,
      ...(names.length === 0 ? [] : ["-t", names.map(escaped).join("|")]),
    ]);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    if (!existsSync(report))
      return { outcome: "broken", by: [output.slice(-2_000)], files: [], seconds };
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
    const files = testResults
      .filter(({ status }) => status === "failed")
      .map(({ name }) => relative(realpathSync(this.#folder), name));
    return { ...judge(testResults, code), files, seconds };
  }

  #vitest(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
    const program = join(packageRoot, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [program, "run", "--config", configName, ...args], {
      cwd: this.#folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TEST_DATABASE_URL: this.#databaseUrl },
      timeout: runTimeoutMs,
      killSignal: "SIGKILL",
    });
    let output = "";
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve({ code: code ?? 1, output }));
    });
  }
}

/** What vitest says of a run, as far as it is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function judge(testResults: Report["testResults"], code: number): Pick<Verdict, "outcome" | "by"> {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === "failed");
  if (failed.length > 0)
    return { outcome: "noticed", by: failed.map(({ fullName }) => fullName.trim()) };
  const unread = testResults.filter(({ status }) => status === "failed");
  if (unread.length > 0) return { outcome: "broken", by: unread.map(({ message }) => message) };
  if (!results.some(({ status }) => status === "passed"))
    return { outcome: "broken", by: ["no test was run"] };
  // A failure that belongs to no test, such as a promise that nobody waited for, ends the run as well.
  return code === 0
    ? { outcome: "survived", by: [] }
    : { outcome: "noticed", by: ["an error outside of any test"] };
}

function copyTree(folder: string): void {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: packageRoot,
    encoding: "utf8",
    maxBuffer: 64 * 1_024 * 1_024,
  });
  for (const name of listed.split("\0"))
    if (name !== "" && existsSync(join(packageRoot, name)))
      cpSync(join(packageRoot, name), join(folder, name));
  // What a worker thread runs is what was built, which has no mistake in it.
  for (const name of ["node_modules", "dist"])
    symlinkSync(join(packageRoot, name), join(folder, name));
  writeFileSync(join(folder, configName), config);
}

/** As the tests' own server: nobody guesses passwords here, and each test opens ten connections. */
async function hurry(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set scram_iterations = 1");
  const { username, password } = new URL(url);
  await client.query(`alter role ${username} password '${password}'`);
  await client.end();
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
