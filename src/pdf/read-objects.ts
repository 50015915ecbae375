import { Bytes } from "../kernel/bytes.ts";
import { NotAsWritten } from "./errors.ts";
import { fileStart, Offsets, objectStart, type PdfObject, streamEnd } from "./objects.ts";
import { contentBytesMax } from "./packed.ts";

const dictionaryBytesMax = 1024 * 1024;

const [dictionaryEnd, tableStart] = [Buffer.from(">>\n"), Buffer.from("xref\n")];

/**
 * The objects of a document that `pdfBytes` has written, in their order. It reads nothing else: a document that another program
 * has saved, or that something was added to, is refused.
 */
export async function* readObjects(chunks: AsyncIterable<Buffer>): AsyncGenerator<PdfObject> {
  const bytes = new Bytes(chunks);
  const offsets = new Offsets();
  try {
    await expectBytes(bytes, fileStart);
    while (!(await bytes.startsWith(tableStart))) {
      const start = bytes.position;
      const object = await readObject(bytes);
      offsets.add(object.id, bytes.position - start);
      yield object;
    }
    await expectBytes(bytes, offsets.fileEnd());
    if (!(await bytes.isAtEnd())) throw new NotAsWritten(bytes.position);
  } finally {
    await bytes.end();
  }
}

async function readObject(bytes: Bytes): Promise<PdfObject> {
  const { position } = bytes;
  const head = await bytes.takeThrough(dictionaryEnd, dictionaryBytesMax);
  const match =
    /^(\d{1,9}) 0 obj\n<<([^\n]*?)(?:\/Filter\/FlateDecode\/Length (\d{1,9}))?>>\n$/.exec(
      head?.toString("latin1") ?? "",
    );
  if (head === undefined || match === null) throw new NotAsWritten(position);
  const object = { id: Number(match[1]), dictionary: match[2] ?? "" };
  const packedLength = match[3] === undefined ? undefined : Number(match[3]);
  const start = objectStart(object, packedLength);
  if (!start.subarray(0, head.length).equals(head)) throw new NotAsWritten(position);
  await expectBytes(bytes, start.subarray(head.length));
  if (packedLength === undefined) return object;
  const content = packedLength > contentBytesMax ? undefined : await bytes.take(packedLength);
  if (content === undefined) throw new NotAsWritten(bytes.position);
  await expectBytes(bytes, streamEnd);
  return { ...object, content };
}

async function expectBytes(bytes: Bytes, expected: Buffer): Promise<void> {
  if (!(await bytes.takeIf(expected))) throw new NotAsWritten(bytes.position);
}
