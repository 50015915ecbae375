import { expect, test } from "vitest";
import { workbookOf } from "../../test/workbooks.ts";
import { UnreadableFile } from "../spreadsheets/errors.ts";
import { unpackRows } from "./cells.ts";
import { readInThread } from "./file-reader.ts";

const patient = { timeMaxMs: 120_000, memoryMaxMb: 160 };

function csvOf(rows: number): Buffer {
  const lines = Array.from({ length: rows }, (_, row) => `77${1_000_000 + row};5000;ref-${row}`);
  return Buffer.from(["telephone;montant;reference", ...lines].join("\n"));
}

test("files are read in threads, more of them than there are threads, each for itself", async () => {
  const read = await Promise.all(
    [1, 2, 3, 4, 5].map(async (rows) =>
      readInThread({ name: "juin.csv", bytes: csvOf(rows) }, patient),
    ),
  );
  const rows = await Promise.all(read.map(({ packed }) => unpackRows(packed)));
  expect(rows.map((one) => one.length)).toEqual([2, 3, 4, 5, 6]);
  expect(rows[0]?.[1]).toEqual({ line: 2, cells: ["771000000", "5000", "ref-0"] });
  expect(new Set(read.map(({ fileHash }) => fileHash.toString("hex"))).size).toBe(5);
});

test("what is wrong with a file is said as if it had been read here", async () => {
  const reading = readInThread({ name: "x.csv", bytes: csvOf(5_001) }, patient);
  await expect(reading).rejects.toThrow(UnreadableFile);
  await expect(reading).rejects.toMatchObject({
    said: { en: expect.stringMatching(/5001 rows/), fr: expect.stringMatching(/5001 lignes/) },
  });
});

test("a file that takes too long, or too much memory, is refused, and the next one is read", async () => {
  const cells = "<c><v>1</v></c>".repeat(250);
  const sheet = Array.from({ length: 4_000 }, () => `<row>${cells}</row>`).join("");
  const large = { name: "juin.xlsx", bytes: await workbookOf(sheet) };
  const why = { why: { en: expect.stringContaining("more time or memory") } };
  await expect(readInThread(large, { ...patient, memoryMaxMb: 8 })).rejects.toMatchObject(why);
  await expect(readInThread(large, { ...patient, timeMaxMs: 1 })).rejects.toMatchObject(why);
  await expect(readInThread(large, { ...patient, timeMaxMs: 1 })).rejects.toMatchObject(why);
  const { packed } = await readInThread({ name: "juin.csv", bytes: csvOf(1) }, patient);
  expect(await unpackRows(packed)).toHaveLength(2);
});

test("what was sent stays with whoever sent it", async () => {
  const bytes = csvOf(1);
  await readInThread({ name: "juin.csv", bytes }, patient);
  expect(bytes.toString()).toContain("telephone;montant");
});
