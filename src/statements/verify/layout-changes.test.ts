import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exporter, statementOf } from "../../../test/statement-of.ts";
import type * as Columns from "../export/columns.ts";
import { writeExport } from "../export/write-export.ts";
import { fileIn } from "./file-source.ts";
import { readWitness } from "./read-witness.ts";

const earlier = join(import.meta.dirname, "../../../test/earlier-exports");
const choices = [
  { format: "csv", dialect: "machine", language: "fr" },
  { format: "csv", dialect: "excel-fr", language: "en" },
  { format: "xlsx", dialect: "machine", language: "fr" },
  { format: "pdf", dialect: "machine", language: "en" },
] as const;
const witness = { seals: [], keys: exporter.keys };
const exportedToday: Buffer[] = [];
const changedModules = [
  "../export/columns.ts",
  "../export/words.ts",
  "../../pdf/text.ts",
  "../export/printed-lines.ts",
];

/** What a later release may do: other words, another order, one column more and one less, other fonts, pages and widths. */
async function changeLayouts(): Promise<void> {
  vi.resetModules();
  vi.doMock("../export/columns.ts", async (original) => {
    const today = await original<typeof Columns>();
    const columns = today.columns
      .filter(({ name }) => name !== "subCompanyName")
      .map((column) => ({
        ...column,
        words: { en: `${column.words.en} (new)`, fr: `${column.words.fr} (neuf)` },
        width: column.width + 3,
      }))
      .toReversed();
    const more = { name: "note", type: "text", words: { en: "Note", fr: "Note" }, width: 9 };
    return {
      ...today,
      columns: [...columns, more],
      columnNames: [...columns.map(({ name }) => name), more.name],
      kindWords: Object.fromEntries(
        Object.keys(today.kindWords).map((kind) => [kind, { en: `a ${kind}`, fr: `un ${kind}` }]),
      ),
    };
  });
  vi.doMock("../export/words.ts", async (original) => {
    const { printedWords } = await original<{ printedWords: Record<"en" | "fr", object> }>();
    const other = { title: "Other title", sheet: "Other", howToVerify: () => ["Ask somebody."] };
    return {
      printedWords: { en: { ...printedWords.en, ...other }, fr: { ...printedWords.fr, ...other } },
    };
  });
  vi.doMock("../../pdf/text.ts", async (original) => ({
    ...(await original<object>()),
    fonts: { plain: "G1", bold: "G2" },
    drawRule: () => "",
  }));
  vi.doMock("../export/printed-lines.ts", async (original) => ({
    ...(await original<object>()),
    headingLine: () => [{ x: 50, text: "Another heading", font: "bold", size: 12 }],
    margin: 50,
  }));
}

beforeAll(async () => {
  for (const choice of choices)
    exportedToday.push(await buffer(writeExport(statementOf(40), exporter, choice)));
  await changeLayouts();
});

/** Other files of tests run in this process. */
afterAll(() => {
  for (const path of changedModules) vi.doUnmock(path);
  vi.resetModules();
});

test("the layouts are others", async () => {
  const later = await import("../export/write-export.ts");
  const { verifyFile } = await import("./verify-file.ts");
  for (const [index, choice] of choices.entries()) {
    const bytes = await buffer(later.writeExport(statementOf(40), exporter, choice));
    expect(bytes.equals(exportedToday[index] ?? bytes), choice.format).toBe(false);
    // What a later release writes verifies too.
    const found = await verifyFile(fileIn("", bytes), witness);
    expect(found).toMatchObject({ problem: undefined, lines: 40, isAuthenticated: true });
    if (choice.format === "csv")
      expect(bytes.toString().split(/[,;\r]/, 1)[0]).not.toBe(
        exportedToday[index]?.toString().split(/[,;\r]/, 1)[0],
      );
  }
});

test.for(choices.map((choice, index) => [choice, index] as const))(
  "what was exported today verifies after the layouts were changed: %o",
  async ([, index]) => {
    const { verifyFile } = await import("./verify-file.ts");
    const found = await verifyFile(fileIn("", exportedToday[index] ?? Buffer.alloc(0)), witness);

    expect(found).toMatchObject({
      problem: undefined,
      isAuthenticated: true,
      signed: "file",
      lines: 40,
      seals: 4,
    });
  },
);

test("so do the rows of what earlier releases exported", async () => {
  const { verifyFile } = await import("./verify-file.ts");
  const given = await readWitness({ key: join(earlier, "cauri-ledger.json") });
  const names = (await readdir(earlier)).filter((name) => !name.endsWith(".json"));
  expect(names).toHaveLength(4);
  for (const name of names) {
    const found = await verifyFile(join(earlier, name), given);
    expect(found).toMatchObject({ problem: undefined, isAuthenticated: true, signed: "rows" });
  }
});
