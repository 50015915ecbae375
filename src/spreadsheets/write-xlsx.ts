import { type PassThrough, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Row } from "./cell.ts";
import { type Part, type WorkbookFacts, workbookParts } from "./workbook-parts.ts";

/** The same rows make the same file, whenever and wherever it is written: archives tell the time of the place they were made at. */
const written = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true };

/** Writes a header and rows as a workbook, a set of rows at a time. Past a million rows it has further sheets. The comment is at the end of its archive. */
export async function* xlsxWriter(
  facts: WorkbookFacts,
  sets: AsyncIterable<Iterable<Row>>,
  comment = "",
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const stopped = new AbortController();
  const fed = feed(zip, workbookParts(facts, sets), comment, stopped.signal).catch(
    (error: Error) => {
      output.destroy(error);
    },
  );
  try {
    yield* output as AsyncIterable<Buffer>;
  } finally {
    // Whoever stops reading early ends the reading of the rows too.
    stopped.abort();
    await fed;
  }
}

async function feed(
  zip: ZipFile,
  parts: AsyncIterable<Part>,
  comment: string,
  stopped: AbortSignal,
): Promise<void> {
  // The archive repeats the errors of a part's stream, which are thrown below.
  zip.on("error", () => undefined);
  for await (const { name, pieces } of parts) {
    const stream = Readable.from(pieces, { highWaterMark: 1 });
    zip.addReadStream(stream, name, written);
    try {
      await finished(stream, { signal: stopped });
    } finally {
      stream.destroy();
    }
  }
  zip.end({ comment, forceZip64Format: false });
}
