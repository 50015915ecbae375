import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { sealOf } from "./archive.ts";
import { ArchiveExists, BackupUnderWay, FolderMissing, NoRoom } from "./errors.ts";

const pieceBytes = 64 * 1024;

/** Throws ArchiveExists or FolderMissing, before anything else is done. */
export async function refuseTaken(path: string): Promise<void> {
  if ((await codeOf(stat(path))) === undefined) throw new ArchiveExists(path);
  const folder = dirname(path);
  // With its separator, so that a file of this name is no folder.
  if (["ENOENT", "ENOTDIR"].includes((await codeOf(stat(`${folder}/`))) ?? ""))
    throw new FolderMissing(folder);
}

/**
 * Writes what the text says, readable by its owner alone, and to disk. It takes its name when it is whole: under that
 * stands a backup or nothing. Returns the size of the file.
 */
export async function writeArchive(path: string, text: AsyncIterable<Buffer>): Promise<number> {
  await refuseTaken(path);
  const partial = `${path}.partial`;
  const file = await openNew(partial);
  let bytes = 0;
  try {
    bytes = await writeSealed(file, text);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw ["ENOSPC", "EDQUOT", "EFBIG"].includes(code ?? "")
      ? new NoRoom(path, { cause: error })
      : error;
  }
  await file.close();
  await rename(partial, path);
  await syncFolder(dirname(path));
  return bytes;
}

async function writeSealed(file: FileHandle, text: AsyncIterable<Buffer>): Promise<number> {
  const digest = createHash("sha256");
  let bytes = 0;
  await pipeline(text, createGzip({ chunkSize: pieceBytes }), async (pieces) => {
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      digest.update(piece);
      bytes += piece.length;
      await file.writeFile(piece);
    }
  });
  const seal = sealOf(digest.digest("hex"));
  await file.writeFile(seal);
  return bytes + seal.length;
}

async function openNew(partial: string): Promise<FileHandle> {
  try {
    return await open(partial, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new BackupUnderWay(partial);
    throw error;
  }
}

/** The name itself has to outlast a power failure, as the contents do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function codeOf(attempt: Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown";
  }
}
