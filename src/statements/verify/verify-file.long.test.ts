import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { companyId, exporter, statementOf } from "../../../test/statement-of.ts";
import { zipOf } from "../../../test/workbooks.ts";
import { type PdfObject, pdfBytes } from "../../pdf/objects.ts";
import { readObjects } from "../../pdf/read-objects.ts";
import { openZip } from "../../spreadsheets/open-zip.ts";
import { type ExportChoice, writeExport } from "../export/write-export.ts";
import { ledgerKeyOf } from "../seal.ts";
import { fileIn } from "./file-source.ts";
import { verifyFile } from "./verify-file.ts";
import type { Witness } from "./verify-ledger.ts";

const count = 40;
/** One opening, four seals, the lines, one row for the last digest and the closing. */
const rowCount = 1 + 4 + count + 1 + 1;
const noWitness: Witness = { seals: [] };

function exported(choice: Partial<ExportChoice> = {}, statement = statementOf(count)) {
  const full = { format: "csv", dialect: "machine", language: "fr", ...choice } as const;
  return buffer(writeExport(statement, exporter, full));
}

function verify(bytes: Buffer | string, witness = noWitness) {
  return verifyFile(fileIn("", Buffer.from(bytes)), witness);
}

test.for<Partial<ExportChoice>>([
  { format: "csv" },
  { format: "csv", dialect: "excel-fr" },
  { format: "csv", dialect: "excel-fr", language: "en" },
  { format: "xlsx" },
  { format: "xlsx", language: "en" },
  { format: "pdf" },
  { format: "pdf", language: "en" },
])("as it was exported: %o", async (choice) => {
  const found = await verify(await exported(choice), { seals: [], keys: exporter.keys });

  expect(found.problem).toBeUndefined();
  expect(found).toMatchObject({ lines: count, isChained: true, seals: 4, isAuthenticated: true });
  expect(found).toMatchObject({ format: choice.format, signed: "file" });
  expect(found.code).toMatch(/^([0-9A-F]{5}-){3}[0-9A-F]{5}$/);
});

test("every format of a statement has the same verification code", async () => {
  const codes = await Promise.all(
    (["csv", "xlsx", "pdf"] as const).map(
      async (format) => (await verify(await exported({ format }))).code,
    ),
  );

  expect(new Set(codes).size).toBe(1);
});

test("an empty statement verifies", async () => {
  expect((await verify(await exported({}, statementOf(0)))).problem).toBeUndefined();
});

/** The same numbers in every run, so that what fails can be looked at again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A change to lines of which the first is a header; says which row it concerns first. */
function tamper(lines: readonly string[], dice: (below: number) => number): [string[], number] {
  const changed = [...lines];
  const row = 1 + dice(lines.length - 1);
  const line = lines[row] ?? "";
  switch (dice(5)) {
    case 0: {
      const at = dice(line.length);
      const other = line[at] === "7" ? "8" : "7";
      changed[row] = `${line.slice(0, at)}${other}${line.slice(at + 1)}`;
      return [changed, row];
    }
    case 1:
      changed.splice(row, 1);
      return [changed, row];
    case 2: {
      const next = 1 + ((row + dice(lines.length - 2)) % (lines.length - 1));
      [changed[row], changed[next]] = [changed[next] ?? "", line];
      return [changed, Math.min(row, next)];
    }
    case 3: {
      // Also behind the last one.
      const place = 1 + dice(lines.length);
      changed.splice(place, 0, line);
      return [changed, place];
    }
    default: {
      const at = dice(line.length);
      changed[row] = `${line.slice(0, at)}9${line.slice(at)}`;
      return [changed, row];
    }
  }
}

/** With those of the database (random-tampering.test.ts) they are a thousand. */
describe("600 random changes of files are all found, at their place", () => {
  test("CSV: 300", async () => {
    const lines = (await exported()).toString().trimEnd().split("\r\n");
    expect(lines).toHaveLength(1 + rowCount + 1);
    const dice = random(1);
    for (let n = 0; n < 300; n += 1) {
      const [changed, row] = tamper(lines, dice);
      const { problem } = await verify(`${changed.join("\r\n")}\r\n`);
      // The signature is the last line, and no row of the table.
      const found = problem?.what === "unsigned" ? rowCount + 1 : problem?.row;
      // With something behind it, the signature is a row that should not be there.
      const places = [...placesOf(row, changed, lines), ...(row > rowCount ? [rowCount + 1] : [])];
      expect(places, `change ${n}`).toContain(found);
    }
  });

  test("XLSX: 150", async () => {
    const zip = await openZip(await exported({ format: "xlsx" }), 1e9);
    const parts = Object.fromEntries(
      await Promise.all(
        zip.names.map(async (name) => [name, await buffer(zip.read(name))] as const),
      ),
    );
    const name = "xl/worksheets/sheet1.xml";
    const [start = "", ...lines] = (parts[name]?.toString() ?? "").split(/(?=<row )|(?=<\/sheetD)/);
    const end = lines.pop() ?? "";
    expect(lines).toHaveLength(1 + rowCount);
    const dice = random(2);
    let onlyLooks = 0;
    for (let n = 0; n < 150; n += 1) {
      const [changed, row] = tamper(lines, dice);
      // A careful hand numbers the rows again, unless a number is what was changed.
      const isSame = changed.length === lines.length && renumbered(changed) === renumbered(lines);
      const numbered = isSame ? changed.join("") : renumbered(changed);
      const sheet = Buffer.from(`${start}${numbered}${end}`);
      const { problem } = await verify(await zipOf({ ...parts, [name]: sheet }));
      // What is shown differently and has the same value is in no row: the signature finds it.
      if (problem?.what === "unsigned") onlyLooks += 1;
      else expect(placesOf(row, changed, lines), `change ${n}`).toContain(problem?.row);
    }
    expect(onlyLooks).toBeLessThan(20);
  });

  test("PDF: 150, in what is attached and in what is printed", async () => {
    const objects = await unpackedObjects(await exported({ format: "pdf" }));
    const dice = random(3);
    for (let n = 0; n < 150; n += 1) {
      const isPrinted = n % 2 === 0;
      const [changed, places] = isPrinted ? redraw(objects, dice) : reattach(objects, dice);
      const { problem } = await verify(await documentOf(changed));
      if (isPrinted) expect(problem, `change ${n}`).toMatchObject({ what: "unsigned" });
      else expect(places, `change ${n}`).toContain(problem?.row);
    }
  });

  async function unpackedObjects(document: Buffer): Promise<PdfObject[]> {
    const objects = await Readable.from(readObjects(Readable.from([document]))).toArray();
    return objects.map((object: PdfObject) =>
      object.content === undefined ? object : { ...object, content: inflateSync(object.content) },
    );
  }

  /** Packed otherwise than by us: what counts is what is inside. */
  function documentOf(objects: readonly PdfObject[]): Promise<Buffer> {
    const packed = objects.map((object) =>
      object.content === undefined
        ? object
        : { ...object, content: deflateSync(object.content, { level: 1 }) },
    );
    return buffer(pdfBytes(Readable.from(packed), "not signed"));
  }

  function renumbered(lines: readonly string[]): string {
    return lines
      .map((line, index) => line.replaceAll(/(<row r="|<c r="[A-Z]+)\d+/g, `$1${index + 1}`))
      .join("");
  }

  function reattach(objects: readonly PdfObject[], dice: (below: number) => number) {
    const at = objects.findIndex(({ dictionary }) => dictionary.startsWith("/Type/EmbeddedFile"));
    const lines = (objects[at]?.content?.toString() ?? "").trimEnd().split("\r\n");
    const [changed, row] = tamper(lines, dice);
    const content = Buffer.from(`${changed.join("\r\n")}\r\n`);
    return [
      objects.map((one, index) => (index === at ? { ...one, content } : one)),
      placesOf(row, changed, lines),
    ] as const;
  }

  /** A digit of a line on a page is another. */
  function redraw(objects: readonly PdfObject[], dice: (below: number) => number) {
    const pages = objects.flatMap(({ content, dictionary }, index) =>
      content === undefined || dictionary !== "" ? [] : [index],
    );
    const page = pages[dice(pages.length)] ?? 0;
    const lines = (objects[page]?.content?.toString("latin1") ?? "").split(/(?<=\n)/);
    const at = dice(lines.length);
    const line = lines[at] ?? "";
    const redrawn = line.replace(/\((-?)\d/, (_, sign: string) => `(${sign}9`);
    const other = redrawn === line ? `${line} ` : redrawn;
    const content = Buffer.from(lines.with(at, other).join(""), "latin1");
    return [objects.map((one, index) => (index === page ? { ...one, content } : one)), []] as const;
  }

  /** A row that stands twice, one behind the other, cannot be told from its copy. */
  function placesOf(row: number, changed: readonly string[], lines: readonly string[]): number[] {
    const isCopy = [row - 1, row + 1].some((next) => changed[next] === changed[row]);
    return isCopy && changed.length > lines.length ? [row - 1, row, row + 1] : [row];
  }
});

test.for(["csv", "xlsx", "pdf"] as const)(
  "one byte of a file (%s): it is found, wherever it is",
  async (format) => {
    const bytes = await exported({ format });
    const dice = random(4);
    for (let n = 0; n < 100; n += 1) {
      const changed = Buffer.from(bytes);
      const at = dice(bytes.length);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      const found = await verify(changed).catch((error: Error) => ({ problem: error }));
      expect(found.problem, `byte ${at}`).toBeDefined();
    }
  },
);

test("a workbook that shows a right number in a wrong format is found", async () => {
  const zip = await openZip(await exported({ format: "xlsx" }), 1e9);
  const parts = Object.fromEntries(
    await Promise.all(zip.names.map(async (name) => [name, await buffer(zip.read(name))] as const)),
  );
  const styles = parts["xl/styles.xml"]?.toString().replace('numFmtId="3"', 'numFmtId="9"') ?? "";

  const { problem } = await verify(await zipOf({ ...parts, "xl/styles.xml": styles }));

  expect(problem).toMatchObject({ what: "unsigned" });
});

test("cut off anywhere, an export is not whole", async () => {
  const lines = (await exported()).toString().trimEnd().split("\r\n");
  for (const kept of [2, 7, 20, rowCount]) {
    const { problem } = await verify(`${lines.slice(0, kept).join("\r\n")}\r\n`);
    expect(problem).toMatchObject({ what: "cut", row: kept });
  }
});

test("a file that was made again does not help: the signature is another's", async () => {
  const forged = { ...exporter, key: ledgerKeyOf(Buffer.alloc(32, 9)) };
  const bytes = await buffer(
    writeExport(statementOf(count), forged, { format: "csv", dialect: "machine", language: "fr" }),
  );

  const alone = await verify(bytes);
  expect(alone).toMatchObject({ keyId: forged.key.id, problem: undefined, isAuthenticated: false });
  const { problem } = await verify(bytes, { seals: [], keys: exporter.keys });
  expect(problem).toMatchObject({ what: "unsigned" });
  expect(problem?.message).toContain(`signed with the key ${forged.key.id}, which is none`);
});

test("a history that was rewritten and signed again is told by a seal that was kept", async () => {
  const [kept] = statementOf(count).head.seals;
  if (kept === undefined) throw new Error("no seal");
  // Of a day whose seal is not in the file: those that are in it are compared, see kept-seals.test.ts.
  const otherHistory = { ...kept, day: "2026-01-11", hash: Buffer.alloc(32, 1) };

  const agreeing = await verify(await exported(), { seals: [kept] });
  const { problem } = await verify(await exported(), { seals: [otherHistory] });

  // The seal holds the history, and says nothing of who signed the file: no key was kept with it.
  expect(agreeing).toMatchObject({ problem: undefined, witnesses: 1, isAuthenticated: false });
  const sealKeys = exporter.keys;
  const withItsKey = await verify(await exported(), { seals: [kept], sealKeys });
  expect(withItsKey).toMatchObject({ problem: undefined, witnesses: 1, isAuthenticated: true });
  expect(kept.companyId).toBe(companyId);
  expect(problem?.message).toMatch(
    /rewritten: .* the seal that was kept for 2026-01-11 \(posting 20\)/,
  );
});
