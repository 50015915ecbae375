/** One object of a PDF: its number, what it says of itself, and its packed content where it has one. */
export interface PdfObject {
  readonly id: number;
  readonly dictionary: string;
  readonly content?: Buffer;
}

/** The object that leads to all others. */
export const catalogId = 1;
/** The object with the title. */
export const infoId = 2;

/** The bytes after the first line say to programs that copy files that this one is not text. */
export const fileStart = Buffer.from("%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1");

/** Writes objects one after another, at the end where each of them begins, and behind it a remark, which readers pass over. */
export async function* pdfBytes(
  objects: AsyncIterable<PdfObject>,
  remark: string,
): AsyncGenerator<Buffer> {
  const offsets = new Offsets();
  yield fileStart;
  for await (const object of objects) {
    const { content } = object;
    const start = objectStart(object, content?.length);
    offsets.add(
      object.id,
      start.length + (content === undefined ? 0 : content.length + streamEnd.length),
    );
    yield content === undefined ? start : Buffer.concat([start, content, streamEnd]);
  }
  yield Buffer.concat([offsets.fileEnd(), Buffer.from(`%${remark}\n`, "latin1")]);
}

const streamEnd = Buffer.from("\nendstream\nendobj\n");

/** What stands before the packed content, or the whole of an object without one. */
function objectStart({ id, dictionary }: PdfObject, packedLength?: number): Buffer {
  return Buffer.from(
    packedLength === undefined
      ? `${id} 0 obj\n<<${dictionary}>>\nendobj\n`
      : `${id} 0 obj\n<<${dictionary}/Filter/FlateDecode/Length ${packedLength}>>\nstream\n`,
    "latin1",
  );
}

/** Where objects begin. */
class Offsets {
  readonly #byId: number[] = [];
  #next = fileStart.length;

  add(id: number, length: number): void {
    this.#byId[id] = this.#next;
    this.#next += length;
  }

  /** The table of all objects, as the end of the file has it. Its first line is for the list of free ones, which is empty. */
  fileEnd(): Buffer {
    const lines = this.#byId
      .slice(catalogId)
      .map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
    const size = lines.length + 1;
    return Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${lines.join("")}trailer\n<</Size ${size}/Root ${catalogId} 0 R/Info ${infoId} 0 R>>\nstartxref\n${this.#next}\n%%EOF\n`,
    );
  }
}
