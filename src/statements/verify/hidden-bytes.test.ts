import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { exporter, statementOf } from "../../../test/statement-of.ts";
import { zipOf } from "../../../test/workbooks.ts";
import { unpack } from "../../pdf/packed.ts";
import { readObjects } from "../../pdf/read-objects.ts";
import { openZip } from "../../spreadsheets/open-zip.ts";
import { type ExportChoice, writeExport } from "../export/write-export.ts";
import {
  fileEndBytes,
  findSignature,
  isFileSignedBy,
  openMark,
  signedFile,
} from "../file-signature.ts";
import { ledgerKeyOf } from "../seal.ts";
import { fileIn } from "./file-source.ts";
import { verifyFile } from "./verify-file.ts";

const choices = {
  "csv for programs": { format: "csv", dialect: "machine" },
  "csv for Excel": { format: "csv", dialect: "excel-fr" },
  xlsx: { format: "xlsx" },
  pdf: { format: "pdf" },
} as const;
type Kind = keyof typeof choices;
const kinds = Object.keys(choices) as Kind[];
const stranger = ledgerKeyOf(Buffer.alloc(32, 9));

function exported(kind: Kind, by = exporter): Promise<Buffer> {
  const choice: ExportChoice = { dialect: "machine", language: "fr", ...choices[kind] };
  return buffer(writeExport(statementOf(1), by, choice));
}

/** Whether it is refused, as changed or as no export at all. */
async function isRefused(bytes: Buffer, name = ""): Promise<boolean> {
  const witness = { seals: [], keys: exporter.keys };
  const found = await verifyFile(fileIn(name, bytes), witness).catch((problem: Error) => ({
    problem,
  }));
  return found.problem !== undefined;
}

/** The signature alone, without a look at the rows. */
async function isSigned(bytes: Buffer, kind: Kind): Promise<boolean> {
  const { format } = choices[kind];
  const signature = findSignature(format, bytes.subarray(-fileEndBytes), bytes.length);
  if (signature === undefined) return false;
  const signed = bytes.subarray(0, signature.signedBytes);
  return isFileSignedBy(exporter.keys, signature, Readable.from([signed]));
}

test.for(kinds)("bytes all over a file, each in one of its bits: %s", async (kind) => {
  const bytes = await exported(kind);
  const end = bytes.subarray(-fileEndBytes);
  const { signedBytes = 0 } = findSignature(choices[kind].format, end, bytes.length) ?? {};
  const tail = { csv: 2, xlsx: 0, pdf: 1 }[choices[kind].format];
  expect([await isRefused(bytes), await isSigned(bytes, kind)]).toEqual([false, true]);
  // All but the signature itself is hashed.
  expect(bytes.length - signedBytes).toBe(88 + tail);
  const accepted: string[] = [];
  for (let place = 0; place < bytes.length; place += 7) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ (1 << (place % 8));
    if (await isSigned(changed, kind)) accepted.push(`byte ${place} of ${bytes.length}`);
    // What the signature does not hold is not let in by the rows either.
    if (place % 29 === 0 && !(await isRefused(changed))) accepted.push(`file with byte ${place}`);
  }
  expect(accepted).toEqual([]);
});

test.for(kinds)("each of all bits of the mark at the end: %s", async (kind) => {
  const bytes = await exported(kind);
  const { startsAt = 0 } =
    findSignature(choices[kind].format, bytes.subarray(-fileEndBytes), bytes.length) ?? {};
  expect(bytes.length - startsAt).toBeLessThan(200);
  const accepted: string[] = [];
  for (let place = startsAt; place < bytes.length; place += 1)
    for (let bit = 1; bit < 256; bit *= 2) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ bit;
      if (await isSigned(changed, kind)) accepted.push(`bit ${bit} of byte ${place}`);
    }
  expect(accepted).toEqual([]);
});

test.for(kinds)("signed by a key that is not the operator's: %s", async (kind) => {
  const forged = await exported(kind, { ...exporter, key: stranger });

  expect(await isRefused(forged)).toBe(true);
  const alone = await verifyFile(fileIn("", forged), { seals: [] });
  expect(alone).toMatchObject({ problem: undefined, isAuthenticated: false });
  // The stranger's signature, under the operator's name.
  const { id, publicKey } = exporter.key;
  const named = { ...stranger, id, publicKey };
  expect(await isRefused(await exported(kind, { ...exporter, key: named }))).toBe(true);
});

test.for(kinds)(
  "two signatures: of a stranger over the operator's, and the operator's twice: %s",
  async (kind) => {
    const { format } = choices[kind];
    const genuine = await exported(kind);
    const end = { csv: "\r\n", xlsx: "", pdf: "\n" }[format];
    const again = (key: typeof stranger) =>
      buffer(
        signedFile(
          Readable.from([genuine, Buffer.from(`${openMark(format, key)}${end}`)]),
          format,
          key,
        ),
      );
    expect(await isRefused(await again(stranger))).toBe(true);
    const twice = Buffer.concat([genuine, genuine.subarray(-300)]);
    expect(await isRefused(twice)).toBe(true);
  },
);

test("a signature that was copied from another file of the operator's", async () => {
  const [one, other] = [await exported("csv for programs"), await exported("pdf")];
  const cut = (bytes: Buffer, kind: Kind) =>
    findSignature(choices[kind].format, bytes.subarray(-fileEndBytes), bytes.length)?.startsAt ?? 0;
  const moved = Buffer.concat([
    one.subarray(0, cut(one, "csv for programs")),
    other.subarray(cut(other, "pdf"), -1),
    Buffer.from("\r\n"),
  ]);
  expect(await isRefused(moved)).toBe(true);
  const renamed = Buffer.from(moved.toString("latin1").replace("1 pdf", "1 csv"), "latin1");
  expect(await isRefused(renamed)).toBe(true);
});

test("what else the key signs is no signature of a file, and the other way round", async () => {
  const said: string[] = [];
  const key = {
    ...exporter.key,
    sign: (text: string) => (said.push(text), exporter.key.sign(text)),
  };
  for (const kind of kinds) await exported(kind, { ...exporter, key });

  expect(said).toHaveLength(4);
  for (const text of said)
    expect(text).toMatch(
      /^cauri file 1\nformat (csv|xlsx|pdf)\nbytes \d+\nsha512 [0-9a-f]{128}\n$/,
    );
});

test.for(kinds)("by another name a program would show something else: %s", async (kind) => {
  const { format } = choices[kind];
  const bytes = await exported(kind);
  for (const name of ["january", `january.${format}`, `JANUARY.${format.toUpperCase()}`])
    expect(await isRefused(bytes, name), name).toBe(false);
  for (const other of ["csv", "xlsx", "pdf", "html", "zip"].filter((one) => one !== format))
    expect(await isRefused(bytes, `january.${other}`), other).toBe(true);
});

test("the table that is attached to a PDF has no signature of its own", async () => {
  const attached: Buffer[] = [];
  for await (const { dictionary, content } of readObjects(Readable.from([await exported("pdf")])))
    if (dictionary.startsWith("/Type/EmbeddedFile"))
      attached.push((await unpack(content ?? Buffer.alloc(0), 1e6)) ?? Buffer.alloc(0));
  const table = Buffer.concat(attached);

  expect(table.toString()).toContain("closing");
  const found = await verifyFile(fileIn("", table), { seals: [], keys: exporter.keys });
  expect(found.problem).toMatchObject({ what: "unsigned" });
});

test.for(kinds)("what is put before, after or in place of the end of a file: %s", async (kind) => {
  const bytes = await exported(kind);
  const others = ["\0", " ", "\n", "\r\n", "\ufeff", "%PDF", "PK\u0005\u0006", "x".repeat(4_096)];
  for (const other of others.map((text) => Buffer.from(text))) {
    expect(
      await isRefused(Buffer.concat([other, bytes])),
      `${other.toString("latin1")} before`,
    ).toBe(true);
    expect(
      await isRefused(Buffer.concat([bytes, other])),
      `${other.toString("latin1")} after`,
    ).toBe(true);
  }
  for (const cut of [1, 2, 22, Math.floor(bytes.length / 2)])
    expect(await isRefused(bytes.subarray(0, -cut)), `${cut} less`).toBe(true);
});

test("a CSV with other line ends, quotes or a mark of its own", async () => {
  const text = (await exported("csv for programs")).toString();
  for (const changed of [
    text.replaceAll("\r\n", "\n"),
    text.replaceAll("\r\n", "\r"),
    text.replace("transfer", '"transfer"'),
    text.trimEnd(),
    `\ufeff${text}`,
  ])
    expect(await isRefused(Buffer.from(changed))).toBe(true);
});

test("a PDF that another program has added to, as they do when something is signed or noted", async () => {
  const bytes = await exported("pdf");
  const update = `9 0 obj\n<</Type/Annot>>\nendobj\nxref\n9 1\n${String(bytes.length).padStart(10, "0")} 00000 n \ntrailer\n<</Size 10/Root 1 0 R/Prev 15>>\nstartxref\n${bytes.length}\n%%EOF\n`;
  expect(await isRefused(Buffer.concat([bytes, Buffer.from(update)]))).toBe(true);
});

/** A part of an archive with its own header, which no directory names. */
function hiddenPart(name: string, content: string): Buffer {
  const packed = deflateRawSync(content);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), packed]);
}

/** Puts bytes before the archive and moves everything that the directory points to by as many. */
function behind(hidden: Buffer, archive: Buffer): Buffer {
  const moved = Buffer.concat([hidden, archive]);
  const end = moved.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  const directory = moved.readUInt32LE(end + 16) + hidden.length;
  moved.writeUInt32LE(directory, end + 16);
  for (let place = directory; place < end; ) {
    moved.writeUInt32LE(moved.readUInt32LE(place + 42) + hidden.length, place + 42);
    const [name, extra, comment] = [28, 30, 32].map((at) => moved.readUInt16LE(place + at));
    place += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return moved;
}

test("a workbook with a part that its directory does not name", async () => {
  const bytes = await exported("xlsx");
  const sheet = "xl/worksheets/sheet1.xml";
  const forged = behind(hiddenPart(sheet, "<worksheet>forged</worksheet>"), bytes);
  const zip = await openZip(forged, 1e9);
  expect((await buffer(zip.read(sheet))).toString()).not.toContain("forged");
  expect(forged.indexOf(sheet)).toBeLessThan(bytes.indexOf(sheet) + 100);

  expect(await isRefused(forged)).toBe(true);
});

test("a workbook with the same parts in another archive, and one with a longer comment", async () => {
  const bytes = await exported("xlsx");
  const zip = await openZip(bytes, 1e9);
  const parts: Record<string, Buffer> = {};
  for (const name of zip.names) parts[name] = await buffer(zip.read(name));
  expect(await isRefused(await zipOf(parts))).toBe(true);

  const more = Buffer.from("see page 2");
  const commented = Buffer.concat([bytes, more]);
  const end = bytes.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  commented.writeUInt16LE(bytes.readUInt16LE(end + 20) + more.length, end + 20);
  expect(await isRefused(commented)).toBe(true);
});
