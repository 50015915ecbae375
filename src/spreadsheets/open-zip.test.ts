import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { UnreadableFile } from "./errors.ts";
import { openZip } from "./open-zip.ts";

async function archiveOf(parts: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(content, name);
  zip.end();
  return buffer(zip.outputStream);
}

test("all parts together unpack to no more than the limit, though each of them would", async () => {
  const parts = { one: Buffer.alloc(60), two: Buffer.alloc(40), three: Buffer.alloc(1) };
  const zip = await openZip(await archiveOf(parts), 100);
  const sizeOf = async (name: string) => {
    let size = 0;
    for await (const piece of zip.read(name)) size += piece.length;
    return size;
  };

  expect(await sizeOf("one")).toBe(60);
  expect(await sizeOf("two")).toBe(40);
  await expect(sizeOf("three")).rejects.toThrow(UnreadableFile);
  zip.close();
});
