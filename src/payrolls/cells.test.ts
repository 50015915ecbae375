import { expect, test } from "vitest";
import { workbookOf } from "../../test/workbooks.ts";
import { packRows, unpackRows } from "./cells.ts";
import { readFileRows } from "./read-file-rows.ts";

const read = (text: string) => readFileRows({ name: "june.csv", bytes: Buffer.from(text) });

test("rows come back as they were packed, the longest too", async () => {
  const rows = [
    { line: 1, cells: ["telephone", "montant"] },
    { line: 3, cells: ['é\n"\u0001', "x".repeat(300_000)] },
    { line: 9, cells: [] },
    ...Array.from({ length: 3_000 }, (_, n) => ({ line: 10 + n, cells: [`${n}`, "", "€"] })),
  ];
  expect(await unpackRows(await packRows(rows))).toEqual(rows);
  expect(await unpackRows(await packRows([]))).toEqual([]);
});

test("rows that are too long together are refused before all of them are written out", async () => {
  const shared = "x".repeat(32_767);
  let rowsRead = 0;
  const cells = Array.from({ length: 250 }, () => shared);
  const rows = Array.from({ length: 5_000 }, (_, line) => ({
    line,
    get cells() {
      rowsRead += 1;
      return cells;
    },
  }));
  await expect(packRows(rows)).rejects.toMatchObject({ code: "unreadable_file" });
  expect(rowsRead).toBeLessThan(10);
});

test("a workbook whose cells share one long text is refused while it is read, whatever it would unpack to", async () => {
  const cells = '<c t="s"><v>0</v></c>'.repeat(250);
  const bytes = await workbookOf(`<row>${cells}</row>`.repeat(2_000), {
    "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(32_767)}</t></si></sst>`,
  });
  await expect(readFileRows({ name: "june.xlsx", bytes })).rejects.toThrow(
    /more than 10485760 characters together/,
  );
});

test("what stands under no heading is left out; one cell beyond the headings stays, to be told of", async () => {
  expect(await read("telephone;;montant\n771234567;a;5000\n1;2;3;;5;6;7\n1;2\n")).toEqual([
    { line: 1, cells: ["telephone", "", "montant"] },
    { line: 2, cells: ["771234567", "", "5000"] },
    { line: 3, cells: ["1", "", "3", "5"] },
    { line: 4, cells: ["1", ""] },
  ]);
});
