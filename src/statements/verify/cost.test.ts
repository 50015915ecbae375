import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { workbookOf } from "../../../test/workbooks.ts";
import { pdfBytes } from "../../pdf/objects.ts";
import { fileIn } from "./file-source.ts";
import { openExport } from "./open-export.ts";
import { readWitness } from "./read-witness.ts";

async function fileOf(content: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-verify-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "file");
  await writeFile(path, content);
  return path;
}

test("a workbook whose cells hold more than its parts do is no export, and is not read on", async () => {
  const cells = '<c t="s"><v>0</v></c>'.repeat(250);
  const book = await workbookOf(`<row>${cells}</row>`.repeat(2_000), {
    "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(32_767)}</t></si></sst>`,
  });
  let rows = 0;
  const read = async () => {
    for await (const _ of (await openExport(fileIn("file", book))).table()) rows += 1;
  };
  await expect(read()).rejects.toThrow(/characters together/);
  // Of 16 GB of text, eleven megabytes.
  expect(rows).toBeLessThan(3);
});

test("an attachment of a PDF that unpacks to far more than an export has is not read", async () => {
  const content = deflateSync(Buffer.alloc(40 * 1024 * 1024, "a,b\n"));
  const bomb = { id: 6, dictionary: "/Type/EmbeddedFile", content };
  const bytes = await buffer(pdfBytes(Readable.from([bomb]), ""));
  expect(bytes.length).toBeLessThan(100_000);
  const rows = await Readable.from((await openExport(fileIn("a.pdf", bytes))).table()).toArray();
  expect(rows).toEqual([]);
});

test("seals in lists without end, and files that are far too large, are refused as what they are", async () => {
  const deep = await fileOf(`${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`);
  await expect(readWitness({ seals: deep })).rejects.toThrow(/no seals/);
  const large = await fileOf(Buffer.alloc(65 * 1024 * 1024, " "));
  await expect(readWitness({ seals: large })).rejects.toThrow(/larger than/);
  await expect(readWitness({ key: large })).rejects.toThrow(/larger than/);
});
