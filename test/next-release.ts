import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { packageRoot } from "../src/kernel/root.ts";

const run = promisify(execFile);

/** A checkout like this one, built, of a later release; tests add to it what that release changes. */
export class NextRelease {
  readonly root: string;
  /** How many migrations this release has; the later one has these and more. */
  readonly #countBefore: number;
  #count: number;

  private constructor(root: string, countBefore: number) {
    this.root = root;
    this.#countBefore = countBefore;
    this.#count = countBefore;
  }

  static async make(): Promise<NextRelease> {
    const root = await mkdtemp(join(tmpdir(), "cauri-next-"));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    // Copies, because the program looks for its files from the real place of its own code.
    for (const path of ["package.json", "tsconfig.json", "scripts/build.mjs", "src", "migrations"])
      await cp(join(packageRoot, path), join(root, path), {
        recursive: true,
        filter: (file) => !file.endsWith(".test.ts"),
      });
    await symlink(join(packageRoot, "node_modules"), join(root, "node_modules"));
    const { length } = await readdir(join(root, "migrations"));
    const release = new NextRelease(root, length);
    await release.rename("999.0.0");
    return release;
  }

  /** Gives it another version. */
  async rename(version: string): Promise<void> {
    await this.#change("src/kernel/version.ts", /"[\d.]+"/, `"${version}"`);
  }

  /** A compatible one works with this release too. */
  async addMigration(text: string, { isCompatible = false } = {}): Promise<void> {
    this.#count += 1;
    const name = `${String(this.#count).padStart(4, "0")}_next.sql`;
    const mark = isCompatible ? `-- compatible-from: ${this.#countBefore}\n` : "";
    await writeFile(join(this.root, "migrations", name), mark + text);
  }

  /** Says where the rows of a table belong on a cluster: where those of a known one are. */
  async classifyBeside(known: string, table: string): Promise<void> {
    const pattern = new RegExp(`"${known}",`);
    await this.#change("src/database/table-groups.ts", pattern, `"${known}", "${table}",`);
  }

  async #change(name: string, pattern: RegExp, replacement: string): Promise<void> {
    const path = join(this.root, name);
    const text = await readFile(path, "utf8");
    const changed = text.replace(pattern, replacement);
    if (changed === text) throw new Error(`${name} has nothing like ${String(pattern)}`);
    await writeFile(path, changed);
    await run(process.execPath, ["scripts/build.mjs", "program"], { cwd: this.root });
  }

  /** A file of SQL functions, such as "gifts/count-gifts.sql". */
  async addFunctions(path: string, text: string): Promise<void> {
    const file = join(this.root, "src", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /**
   * Moves every function that no trigger calls into one file of this release and changes its text, whatever file
   * or migration it comes from.
   */
  async changeFunctions(database: Database, comment: string): Promise<void> {
    const functions = await database.query<{ definition: string }>(sql`
      select pg_get_functiondef(p.oid) as definition from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype`);
    const changed = functions.map(
      ({ definition }) =>
        `${definition.replace("AS $function$", `AS $function$\n-- ${comment}\n`)};`,
    );
    for (const path of await readdir(join(this.root, "src"), { recursive: true }))
      if (path.endsWith(".sql")) await rm(join(this.root, "src", path));
    await writeFile(join(this.root, "src/next.sql"), changed.join("\n"));
  }
}
