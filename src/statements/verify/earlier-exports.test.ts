import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { type PdfObject, pdfBytes } from "../../pdf/objects.ts";
import { readObjects } from "../../pdf/read-objects.ts";
import { csvLine } from "../../spreadsheets/write-csv.ts";
import { cellsFor } from "../export/present.ts";
import { checkOf, readCheck, toCheckText } from "../export/row-check.ts";
import { ledgerKeyOf } from "../seal.ts";
import { fileIn } from "./file-source.ts";
import { firstColumns, firstFormat } from "./first-format.ts";
import { readWitness } from "./read-witness.ts";
import { verifyFile } from "./verify-file.ts";

/** Written by the release that had no signature of files yet, with its keys and seals. */
const folder = join(import.meta.dirname, "../../../test/earlier-exports");
const kinds = ["programs.csv", "excel.csv", "statement.xlsx", "statement.pdf"];
const [key, seals] = ["cauri-ledger.json", "seals.json"].map((name) => join(folder, name)) as [
  string,
  string,
];

test.for(kinds)(
  "the rows of %s verify, by a key and by seals, and the file does not",
  async (name) => {
    const path = join(folder, name);

    const byKey = await verifyFile(path, await readWitness({ key }));
    const bySeals = await verifyFile(path, await readWitness({ seals }));
    const alone = await verifyFile(path, await readWitness({}));

    for (const found of [byKey, bySeals, alone])
      expect(found).toMatchObject({
        problem: undefined,
        signed: "rows",
        lines: 40,
        seals: 4,
        isChained: true,
        code: "4CA61-2ED54-70CCF-D59D0",
      });
    expect([byKey, bySeals, alone].map(({ isAuthenticated }) => isAuthenticated)).toEqual([
      true,
      true,
      false,
    ]);
    expect(bySeals.witnesses).toBe(4);
  },
);

test.for(["programs.csv", "excel.csv"])("a row of %s that was changed is found", async (name) => {
  const bytes = await readFile(join(folder, name));
  const at = bytes.indexOf("221770000003");
  bytes[at] = "3".charCodeAt(0);

  const { problem } = await verifyFile(fileIn(name, bytes), await readWitness({ key }));

  expect(problem).toMatchObject({ what: "changed", row: 1 + 4 + 4 });
});

test("rows that a stranger signed, above the operator's own seals, are not the operator's", async () => {
  const text = await readFile(join(folder, "programs.csv"), "utf8");
  const last = text.lastIndexOf("\r\n", text.length - 3) + 2;
  const before = readCheck(
    text
      .slice(0, last - 2)
      .split(",")
      .at(-1),
  );
  if (before === undefined) throw new Error("no check");
  const stranger = ledgerKeyOf(Buffer.alloc(32, 9));
  const { id, publicKey } = stranger;
  const signature = stranger.sign(`${firstFormat}\n${toCheckText(before)}\n`).toString("base64");
  const proof = JSON.stringify({ key: { id, publicKey }, signature });
  const row = { kind: "signature", proof };
  const check = toCheckText(checkOf(before, row, firstColumns));
  const forged = `${text.slice(0, last)}${csvLine(cellsFor("program", { ...row, check }), "machine")}`;

  const file = fileIn("programs.csv", Buffer.from(forged));
  expect((await verifyFile(file, { seals: [] })).problem).toBeUndefined();
  const { problem } = await verifyFile(file, await readWitness({ key }));
  expect(problem).toMatchObject({ what: "untrue", row: 1 + 4 + 40 + 3 });
});

test("a page of an earlier PDF that was forged: its rows are as they were, and nothing is said of what it shows", async () => {
  const genuine = await readFile(join(folder, "statement.pdf"));
  const objects = await Readable.from(readObjects(Readable.from([genuine]))).toArray();
  const pages = objects.filter(({ dictionary }: PdfObject) => dictionary === "");
  const content = deflateSync("BT/F1 8 Tf 36 700 Td (Solde 99 999 999) Tj ET");
  const forged = objects.map((one: PdfObject) => (one === pages[0] ? { ...one, content } : one));
  const bytes = await buffer(pdfBytes(Readable.from(forged), "another page"));

  const found = await verifyFile(fileIn("statement.pdf", bytes), await readWitness({ key }));

  expect(pages.length).toBeGreaterThan(0);
  expect(found).toMatchObject({ problem: undefined, isAuthenticated: true, signed: "rows" });
});
