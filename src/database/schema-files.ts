import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../kernel/root.ts";
import { version as ownVersion } from "../kernel/version.ts";
import { type ConcurrentStep, parseSteps } from "./concurrent-steps.ts";

/** Where a program's schema comes from; a test names its own. */
export interface SchemaSource {
  readonly migrations: string;
  /** Read with everything below it. */
  readonly functions: string;
  /** The program's own version: decides whose functions are the newer ones. */
  readonly release: string;
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly hash: string;
  readonly text: string;
  /** The lowest number of migrations that a program must know to work with this one applied. */
  readonly compatibleFrom: number;
  /** Of a migration that runs outside a transaction, its statements. */
  readonly steps?: readonly ConcurrentStep[] | undefined;
}

/** One or a few related SQL functions, such as transfers/submit-transfers.sql. */
export interface FunctionFile {
  readonly file: string;
  readonly hash: string;
  readonly text: string;
}

/** The schema as one program knows it. */
export interface SchemaFiles {
  readonly migrations: readonly Migration[];
  readonly functions: readonly FunctionFile[];
  readonly release: string;
}

/** Both folders belong to the checkout, also for the compiled program: SQL is not compiled. */
const ofProject: SchemaSource = {
  migrations: join(packageRoot, "migrations"),
  functions: join(packageRoot, "src"),
  release: ownVersion,
};
let filesOfProject: Promise<SchemaFiles> | undefined;

/** Read once: a checkout that is updated under a running node does not change what that node needs. */
export function readOwnSchema(): Promise<SchemaFiles> {
  filesOfProject ??= readSchemaFiles({});
  return filesOfProject;
}

export async function readSchemaFiles(source: Partial<SchemaSource>): Promise<SchemaFiles> {
  const { migrations, functions, release } = { ...ofProject, ...source };
  return {
    migrations: await readMigrations(migrations),
    functions: await readFunctionFiles(functions),
    release,
  };
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(name.slice(0, 4));
      if (version !== index + 1) throw new Error(`migration ${name} breaks the sequence`);
      const text = await readFile(join(folder, name), "utf8");
      const compatibleFrom = readMark(text) ?? version;
      if (compatibleFrom > version)
        throw new Error(`migration ${name} claims to need a later migration`);
      const steps = isConcurrent(text) ? parseSteps(name, text) : undefined;
      return { version, name, text, hash: hashOf(text), compatibleFrom, steps };
    }),
  );
}

/** The first line of a migration that programs with fewer migrations can live with: `-- compatible-from: 12`. */
function readMark(text: string): number | undefined {
  const mark = /^-- compatible-from: (\d+)\n/.exec(text)?.[1];
  return mark === undefined ? undefined : Number(mark);
}

/** The first line, or the one below the other mark, of a migration that must not run in a transaction. */
function isConcurrent(text: string): boolean {
  return /^(?:-- compatible-from: \d+\n)?-- no-transaction\n/.test(text);
}

async function readFunctionFiles(folder: string): Promise<FunctionFile[]> {
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith(".sql"))
    .toSorted();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), "utf8");
      if (text.split("\n").some((line) => /^\s*create\s+function\b/i.test(line)))
        throw new Error(`${file}: write "create or replace function", see CONTRIBUTING.md`);
      return { file, hash: hashOf(text), text };
    }),
  );
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
