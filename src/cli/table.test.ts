import { expect, test } from "vitest";
import { toVisible, toVisibleJson, toVisibleLines } from "../kernel/visible.ts";
import { toTable } from "./table.ts";

test("a table of 300 000 rows is as wide as its widest cells", () => {
  const rows = Array.from({ length: 300_000 }, (_, index) => [String(index), "x"]);

  const lines = toTable([["NUMBER", "NAME"], ...rows]).split("\n");

  expect(lines).toHaveLength(300_001);
  expect(lines[1]).toBe("0       x");
});

test("no name reaches a terminal as a command, a line of its own or backwards", () => {
  const hostile =
    "A\u001b]0;owned\u0007\u001b[2J\u009b31m\rB\nTOTAL 0\u202egro.\u2028\u200b\ufeff\u007f\u{e0041}";

  const table = toTable([["NAME"], [hostile]]);

  expect(table.split("\n")).toHaveLength(2);
  expect(table).toContain(
    "A\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u000dB\\u000aTOTAL 0\\u202e",
  );
  const json = toVisibleJson({ name: hostile });
  for (const text of [table.replaceAll("\n", ""), json, toVisible(hostile)])
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(json)).toEqual({ name: hostile });
  expect(toVisibleLines("one\ntwo\u001b")).toBe("one\ntwo\\u001b");
  expect(toVisible("Aïssatou N'Diaye-Bâ 😀")).toBe("Aïssatou N'Diaye-Bâ 😀");
});

test("a table that is wider than the terminal becomes a block for each row, and nothing of it is cut", () => {
  const rows = [
    ["COMPANY", "NAME", "STATE"],
    ["com_01a1dd61", "Boutique Awa", ""],
    ["com_01a1dd62", "Chez Fatou", "frozen"],
  ];

  expect(toTable(rows, 34).split("\n")).toHaveLength(3);
  expect(toTable(rows, undefined)).toBe(toTable(rows, 34));
  expect(toTable(rows, 33)).toBe(
    [
      "  COMPANY  com_01a1dd61",
      "  NAME     Boutique Awa",
      "",
      "  COMPANY  com_01a1dd62",
      "  NAME     Chez Fatou",
      "  STATE    frozen",
    ].join("\n"),
  );
  expect(toTable([["COMPANY", "NAME"]], 5)).toBe("COMPANY  NAME");
});
