import { unpack } from "../../pdf/packed.ts";
import { readObjects } from "../../pdf/read-objects.ts";
import { openZip } from "../../spreadsheets/open-zip.ts";
import { readCsv } from "../../spreadsheets/read-csv.ts";
import { readXlsx } from "../../spreadsheets/read-xlsx.ts";
import type { TableRow } from "../../spreadsheets/table.ts";
import {
  type ExportFormat,
  type FileSignature,
  fileEndBytes,
  findSignature,
} from "../file-signature.ts";
import type { FileSource } from "./file-source.ts";

/** A file with an export: what it is by its content, the signature at its end, and all rows of its table with the header. */
export interface OpenExport {
  readonly source: FileSource;
  readonly format: ExportFormat;
  /** Undefined in files of the first format, and where it was cut off or something was put behind it. */
  readonly signature: FileSignature | undefined;
  table(): AsyncIterable<TableRow>;
}

export async function openExport(source: FileSource): Promise<OpenExport> {
  const format = formatOf(await gather(source.read(0, 4)));
  const end = await gather(source.read(Math.max(0, source.size - fileEndBytes)));
  const signature = findSignature(format, end, source.size);
  if (format === "pdf") return { source, format, signature, table: () => pdfTable(source) };
  if (format === "xlsx") return { source, format, signature, table: () => xlsxTable(source) };
  // The signature is in a row of its own.
  const rowsEnd = signature && source.size - end.length + end.lastIndexOf("\n", end.length - 3) + 1;
  return {
    source,
    format,
    signature,
    table: () => readCsv(source.read(0, rowsEnd), source.limits),
  };
}

function formatOf(start: Buffer): ExportFormat {
  if (start.toString("latin1") === "%PDF") return "pdf";
  return start.toString("latin1").startsWith("PK") ? "xlsx" : "csv";
}

/** The table of a PDF is what is attached to it. A document that was changed is read as far as it can be. */
function pdfTable(source: FileSource): AsyncIterable<TableRow> {
  async function* attachments(): AsyncGenerator<Buffer> {
    for await (const { dictionary, content } of readObjects(source.read())) {
      if (!dictionary.startsWith("/Type/EmbeddedFile") || content === undefined) continue;
      const table = await unpack(content, source.limits.contentBytesMax);
      if (table === undefined) return;
      yield table;
    }
  }
  return readCsv(attachments(), source.limits);
}

async function* xlsxTable({ whole, limits }: FileSource): AsyncGenerator<TableRow> {
  const zip = await openZip(whole, limits.unpackedBytesMax);
  try {
    // An export writes each text where it stands, so its cells never hold more than its parts do.
    const ownLimits = { ...limits, textCharsMax: zip.unpackedBytes };
    yield* readXlsx(zip, ownLimits, Number.POSITIVE_INFINITY);
  } finally {
    zip.close();
  }
}

async function gather(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const held: Buffer[] = [];
  for await (const piece of pieces) held.push(piece);
  return Buffer.concat(held);
}
