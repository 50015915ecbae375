import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Reads a file that only its owner may read; makes it first, mode 0600, when it is not there. */
export async function readOrMakePrivateFile(path: string, make: () => string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  try {
    await writePrivateFile(path, make());
  } catch (error) {
    // Another process was faster: its contents are the ones that count.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFile(path, "utf8");
}

/** Fails with EEXIST rather than overwrite, unless told to: such files hold what cannot be made again. */
export async function writePrivateFile(
  path: string,
  contents: string,
  options: { readonly overwrite?: boolean } = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (options.overwrite === true) await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(contents);
    await file.sync();
  } finally {
    await file.close();
  }
}
