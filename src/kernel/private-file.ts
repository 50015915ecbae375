import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Reads a file that only its owner may read; makes it first when it is not there. */
export async function readOrMakePrivateFile(path: string, make: () => string): Promise<string> {
  const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
  // Unlike a rename, a link never replaces a file: of several processes at once, all use what the first one made.
  await writeThroughDraft(path, make(), (draft) =>
    link(draft, path).catch((error: unknown) => {
      if (!isCode(error, "EEXIST")) throw error;
    }),
  );
  return readFile(path, "utf8");
}

/** Replaces or makes a file that only its owner may read. */
export async function writePrivateFile(path: string, contents: string): Promise<void> {
  await writeThroughDraft(path, contents, (draft) => rename(draft, path));
}

/** Writes a draft beside the file, to disk, before it is put in its place: nobody ever reads half of it. */
async function writeThroughDraft(
  path: string,
  contents: string,
  putInPlace: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, contents, { mode: 0o600, flag: "wx", flush: true });
    await putInPlace(draft);
  } finally {
    await rm(draft, { force: true });
  }
}
