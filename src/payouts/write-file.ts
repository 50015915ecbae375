import { open, rename, rm } from "node:fs/promises";

/** Writes a file under another name first, so that nobody ever finds half of it. */
export async function writeThroughPart(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const part = `${path}.part`;
  const file = await open(part, "w", 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(part, path);
}

/** The same for a file that must not be there yet: somebody may have worked on it. */
export async function writeNew(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
