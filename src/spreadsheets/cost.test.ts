import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowsOf, workbookOf } from "../../test/workbooks.ts";
import { matchColumns } from "./match-columns.ts";

/** Linear work on these files takes a second or two on a slow machine; what grows with the square takes minutes. */
const secondsMax = 20;

async function timed<Result>(work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    expect(performance.now() - startedAt).toBeLessThan(secondsMax * 1_000);
  }
}

const date = '<row r="1"><c r="A1"><v>46341</v></c></row>';
const styles = (codes: readonly string[]) => ({
  "xl/styles.xml": `<styleSheet><numFmts>${codes.map((code, n) => `<numFmt numFmtId="${170 + n}" formatCode="${code}"/>`).join("")}</numFmts><cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>`,
});

describe("a workbook", () => {
  test.for(["[", "&quot;", "[&quot;", "\\\\", "_*", "[d", "]["])(
    "with formats of %j is read at once",
    async (unit) => {
      const codes = Array.from({ length: 50 }, () => unit.repeat(60_000 / unit.length));
      const book = await workbookOf(date, styles(codes));
      expect(await timed(() => rowsOf(book))).toEqual([{ line: 1, cells: ["46341"] }]);
    },
  );

  test("with a format that is longer than Excel allows shows no date by it", async () => {
    const longest = await workbookOf(date, styles([`dd/mm/yyyy${" ".repeat(245)}`]));
    const longer = await workbookOf(date, styles([`dd/mm/yyyy${" ".repeat(246)}`]));
    expect((await rowsOf(longest))[0]?.cells).toEqual(["2026-11-15"]);
    expect((await rowsOf(longer))[0]?.cells).toEqual(["46341"]);
  });

  test("whose cells share one long text is refused when they hold too much together", async () => {
    const shared = (text: string) => ({
      "xl/sharedStrings.xml": `<sst><si><t>${text}</t></si></sst>`,
    });
    const cells = '<c t="s"><v>0</v></c>'.repeat(250);
    const rows = `<row>${cells}</row>`.repeat(2_000);
    for (const text of ["x".repeat(32_767), `&#160;${" ".repeat(32_765)}&#160;`]) {
      const book = await workbookOf(rows, shared(text));
      expect(book.length).toBeLessThan(300_000);
      const reading = timed(() => rowsOf(book, { textCharsMax: 1_000_000 }));
      await expect(reading).rejects.toThrow(/more than 1000000 characters together/);
    }
    const few = await workbookOf(`<row>${cells}</row>`, shared("x".repeat(4_000)));
    expect(await rowsOf(few, { textCharsMax: 1_000_000 })).toHaveLength(1);
    await expect(rowsOf(few, { textCharsMax: 999_999 })).rejects.toThrow(/999999/);
  });

  test("with many sheets and relations is read in a time that grows with their number", async () => {
    const ids = Array.from({ length: 9_990 }, (_, n) => `r${n}`);
    const sheet = 'Type="x/worksheet" Target="worksheets/sheet1.xml"';
    const book = await workbookOf(date, {
      "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${ids.map((id) => `<sheet r:id="${id}"/>`).join("")}</sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships>${ids.map((id) => `<Relationship Id="${id}" ${sheet}/>`).join("")}</Relationships>`,
    });
    expect(await timed(() => rowsOf(book))).toEqual([{ line: 1, cells: ["46341"] }]);
  });

  test.for<[string, Readonly<Record<string, string>>]>([
    [
      "relations",
      {
        "_rels/.rels": `<Relationships>${'<Relationship Target="a"/>'.repeat(10_001)}</Relationships>`,
      },
    ],
    [
      "sheets",
      {
        "xl/workbook.xml": `<workbook xmlns:r="r">${'<sheet r:id="a"/>'.repeat(10_001)}</workbook>`,
      },
    ],
    [
      "styles",
      { "xl/styles.xml": `<styleSheet><cellXfs>${"<xf/>".repeat(70_000)}</cellXfs></styleSheet>` },
    ],
  ])("with more %s than any is refused", async ([name, parts]) => {
    await expect(rowsOf(await workbookOf(date, parts))).rejects.toThrow(`too many ${name}`);
  });

  test("with a part that unpacks to far more than it weighs is refused before it is read", async () => {
    const padding = " ".repeat(17 * 1024 * 1024);
    const book = await workbookOf(date, { "xl/sharedStrings.xml": `<sst>${padding}</sst>` });
    expect(book.length).toBeLessThan(100_000);
    await expect(rowsOf(book)).rejects.toThrow(/more than 200 times its size/);
  });

  test("with empty cells far to the right, or rows beyond Excel's last, costs nothing", async () => {
    const far = await workbookOf('<row><c r="IV1"/></row>'.repeat(50_000));
    expect(await timed(() => rowsOf(far))).toEqual([]);
    const low = await workbookOf('<row r="1048577"><c><v>1</v></c></row>');
    await expect(rowsOf(low)).rejects.toThrow(/more than 1048576 lines/);
  });

  test.for([
    ["comments", `<!--${"-x".repeat(400_000)}-->`],
    ["instructions", `<?x ${"?x".repeat(400_000)}?>`],
    [
      "marked text",
      `<row><c t="str"><v><![CDATA[${"]".repeat(30_000)}]]></v></c></row>`.repeat(20),
    ],
    ["entities", `<row><c t="str"><v>${"&lt;".repeat(30_000)}</v></c></row>`.repeat(20)],
    ["an attribute", `<row x="${"y".repeat(60_000)}"/>`.repeat(20)],
    ["an open entity", `<row><c t="str"><v>${"&a".repeat(400_000)}`],
  ] as const)("with long %s is read or refused at once", async ([, content]) => {
    const book = await workbookOf(content);
    await timed(() => rowsOf(book)).catch((error: unknown) =>
      expect(error).toMatchObject({ code: "unreadable_file" }),
    );
  });
});

describe("a text file", () => {
  const megabytes = 2;
  test.for<[string, string, RegExp | undefined]>([
    ["line ends", "\n", /lines/],
    ["separators", ";", /256 columns/],
    ["letters", "x", /32767/],
    ["quotes", '"', undefined],
    ["quoted cells", '"",', /256 columns/],
    ["quotes with a line end", '"\n', undefined],
    ["spaces", " ", /32767/],
    ["pairs of line ends", "\r\n", /lines/],
    ["short rows of other lengths", "a\na;b\n", /lines/],
  ])("of %s is read or refused at once", async ([, unit, message]) => {
    const bytes = Buffer.alloc(megabytes * 1_000_000, unit);
    const reading = timed(() => rowsOf(bytes, { rowsMax: 200_000, linesMax: 100_000 }));
    if (message !== undefined) await expect(reading).rejects.toThrow(message);
    await reading.catch((error: unknown) =>
      expect(error).toMatchObject({ code: "unreadable_file" }),
    );
  });

  test("is read as another library reads it, however it is cut into pieces", async () => {
    const pieces = fc.array(fc.constantFrom("a", '"', ";", "\n", "\r", "\r\n", " ", "é", '""'), {
      maxLength: 40,
    });
    const oracle = (text: string) => {
      try {
        return parse(text, {
          delimiter: ";",
          record_delimiter: ["\r\n", "\n", "\r"],
          relax_column_count: true,
        });
      } catch {
        return "refused";
      }
    };
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const text = `sep=;\n${parts.join("")}`;
        const expected = oracle(parts.join(""));
        const rows = await rowsOf(text).catch(() => "refused" as const);
        if (rows === "refused") {
          expect(expected).toBe("refused");
          return;
        }
        const filled = (expected as string[][]).filter((cells) =>
          cells.some((cell) => cell.trim() !== ""),
        );
        expect(rows.map(({ cells }) => cells)).toEqual(filled);
      }),
      { numRuns: 500 },
    );
  });
});

test("headings of accents in a row are compared in a time that grows with their length", () => {
  const heading = "\u0301\u0327".repeat(16_000);
  const startedAt = performance.now();
  matchColumns(
    Array.from({ length: 256 }, () => heading),
    { phone: ["telephone"] },
  );
  expect(performance.now() - startedAt).toBeLessThan(secondsMax * 1_000);
});
