import { Bytes } from "../kernel/bytes.ts";
import { fileStart, type PdfObject } from "./objects.ts";

const dictionaryBytesMax = 1024 * 1024;
/** Far above what a page, or an attachment of some ten thousand rows, comes to. */
const contentBytesMax = 128 * 1024 * 1024;
const lengthEntry = "/Filter/FlateDecode/Length ";

const dictionaryEnd = Buffer.from(">>\n");
const [contentStart, contentEnd] = [Buffer.from("stream\n"), Buffer.from("\nendstream\n")];
const objectEnd = Buffer.from("endobj\n");

/**
 * The objects of a document that `pdfBytes` has written, in their order, up to the first thing that is none. It reads nothing else:
 * a document that another program has saved has no objects, or fewer.
 */
export async function* readObjects(chunks: AsyncIterable<Buffer>): AsyncGenerator<PdfObject> {
  const bytes = new Bytes(chunks);
  try {
    let object = (await bytes.takeIf(fileStart)) ? await readObject(bytes) : undefined;
    for (; object !== undefined; object = await readObject(bytes)) yield object;
  } finally {
    await bytes.end();
  }
}

async function readObject(bytes: Bytes): Promise<PdfObject | undefined> {
  const head = await bytes.takeThrough(dictionaryEnd, dictionaryBytesMax);
  const match = /^(\d{1,9}) 0 obj\n<<([^\n]*)>>\n$/.exec(head?.toString("latin1") ?? "");
  if (match === null) return undefined;
  const [dictionary, packedLength] = splitLength(match[2] ?? "");
  const object = { id: Number(match[1]), dictionary };
  if (packedLength === undefined) return (await bytes.takeIf(objectEnd)) ? object : undefined;
  if (packedLength > contentBytesMax || !(await bytes.takeIf(contentStart))) return undefined;
  const content = await bytes.take(packedLength);
  const isWhole = (await bytes.takeIf(contentEnd)) && (await bytes.takeIf(objectEnd));
  return content !== undefined && isWhole ? { ...object, content } : undefined;
}

/** What a dictionary says beside the length of the content that follows it, and that length. */
function splitLength(entries: string): readonly [dictionary: string, packedLength?: number] {
  const at = entries.lastIndexOf(lengthEntry);
  if (at === -1) return [entries];
  const length = entries.slice(at + lengthEntry.length);
  return /^\d{1,9}$/.test(length) ? [entries.slice(0, at), Number(length)] : [entries];
}
