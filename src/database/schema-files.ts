import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../kernel/root.ts";

/** The folders that the schema is made from; a test names its own. */
export interface SchemaFolders {
  readonly migrations: string;
  /** Read with everything below it. */
  readonly functions: string;
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

/** One or a few related SQL functions, such as transfers/submit-transfers.sql. */
export interface FunctionFile {
  readonly file: string;
  readonly hash: string;
  readonly text: string;
}

export interface SchemaFiles {
  readonly migrations: readonly Migration[];
  readonly functions: readonly FunctionFile[];
}

/** Both are read from the checkout, also by the compiled program: SQL is not compiled. */
const projectFolders: SchemaFolders = {
  migrations: join(packageRoot, "migrations"),
  functions: join(packageRoot, "src"),
};

export async function readSchemaFiles(folders: Partial<SchemaFolders> = {}): Promise<SchemaFiles> {
  const { migrations, functions } = { ...projectFolders, ...folders };
  return {
    migrations: await readMigrations(migrations),
    functions: await readFunctionFiles(functions),
  };
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(name.slice(0, 4));
      if (version !== index + 1) throw new Error(`migration ${name} breaks the sequence`);
      return { version, name, text: await readFile(join(folder, name), "utf8") };
    }),
  );
}

async function readFunctionFiles(folder: string): Promise<FunctionFile[]> {
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith(".sql"))
    .toSorted();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), "utf8");
      if (/^\s*create\s+function\b/im.test(text))
        throw new Error(`${file}: write "create or replace function", see CONTRIBUTING.md`);
      return { file, hash: createHash("sha256").update(text).digest("hex"), text };
    }),
  );
}
