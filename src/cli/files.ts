import { access, constants, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { writeNew } from "../payouts/write-file.ts";
import { FileExists, FileNotReadable } from "./errors.ts";

/** Throws FileNotReadable, with what a person can do about it, before anything else is done. */
export async function readable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    throw new FileNotReadable(path, { cause: error });
  }
  if (!(await stat(path)).isFile()) throw new FileNotReadable(path);
}

/** Throws FileExists before anything else is done. */
export async function absent(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new FileExists(path);
}

/** A file beside another, named after it: payroll.xlsx and "-outcome.csv" make payroll-outcome.csv. */
export function besides(path: string, ending: string): string {
  return join(dirname(path), `${basename(path, extname(path))}${ending}`);
}

/** Throws FileExists where a file of this name is: somebody may need it. */
export async function writeNewFile(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  try {
    await writeNew(path, pieces);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new FileExists(path);
    throw error;
  }
}
