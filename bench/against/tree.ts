import { link, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../src/kernel/root.ts";
import { run } from "./run.ts";

/** A checkout with its compiled program. */
export interface Tree {
  /** The commit, shortened; with a + when the checkout has changes that are not committed. */
  readonly name: string;
  readonly root: string;
}

/** This checkout, which `npm run bench` has compiled. */
export async function treeHere(): Promise<Tree> {
  const commit = (await git("rev-parse", "--short", "HEAD")).trim();
  const changes = await git("status", "--porcelain");
  return { name: changes === "" ? commit : `${commit}+`, root: packageRoot };
}

/** Builds a commit in a work tree of its own, which is gone when `work` has ended, whichever way. */
export async function withTreeOf<Result>(
  commit: string,
  stopped: AbortSignal,
  work: (tree: Tree) => Promise<Result>,
): Promise<Result> {
  const name = (await git("rev-parse", "--verify", "--short", `${commit}^{commit}`)).trim();
  const root = await mkdtemp(join(tmpdir(), "cauri-tree-"));
  try {
    await run("git", ["worktree", "add", "--quiet", "--detach", root, name], {
      cwd: packageRoot,
      stopped,
    });
    if (await isSameFile("package-lock.json", root)) await linkModules(root);
    // It installs what is not linked, and compiles.
    await run(process.execPath, ["scripts/setup.mjs"], { cwd: root, stopped });
    return await work({ name, root });
  } finally {
    // A work tree that was never registered has nothing to remove.
    await git("worktree", "remove", "--force", root).catch(() => {});
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function git(...args: readonly string[]): Promise<string> {
  return run("git", args, { cwd: packageRoot });
}

async function isSameFile(name: string, root: string): Promise<boolean> {
  const [here, there] = await Promise.all(
    [packageRoot, root].map((folder) => readFile(join(folder, name))),
  );
  return here !== undefined && there !== undefined && here.equals(there);
}

/** On another file system nothing can be linked: then the tree installs its own. */
async function linkModules(root: string): Promise<void> {
  const target = join(root, "node_modules");
  try {
    await linkFolder(join(packageRoot, "node_modules"), target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await rm(target, { recursive: true, force: true });
  }
}

async function linkFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkFolder(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await link(source, target);
  }
}
