import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findRegexes } from "../scripts/regexes/find-regexes.ts";

test("every way to write a regular expression is found, and what cannot be read is told", () => {
  const root = mkdtempSync(join(tmpdir(), "cauri-regexes-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["src", "sdk/src", "migrations"])
    mkdirSync(join(root, folder), { recursive: true });
  const code = [
    "const named = '^named$';",
    "export const one = /literal/gi;",
    "new RegExp('made', 'g');",
    "RegExp(named);",
    "const schema = { pattern: `^(?:${named})$` };",
    "const pattern = 'short';",
    "const other = { pattern };",
    "'x'.match('text');",
    "'x'.split('no pattern');",
    "new RegExp(unknown());",
    "'x'.normalize('NFC');",
  ];
  writeFileSync(join(root, "src/code.ts"), code.join("\n"));
  writeFileSync(join(root, "src/code.test.ts"), "/of a test/");
  writeFileSync(join(root, "sdk/src/page.js"), "/script/.test(x)");
  writeFileSync(join(root, "migrations/1.sql"), "check (a ~ '^[0-9]$' and b !~* 'x')");

  const { found, unread } = findRegexes(root);

  expect(found.map(({ file, line, pattern, flags }) => [file, line, pattern, flags])).toEqual([
    ["src/code.ts", 2, "literal", "gi"],
    ["src/code.ts", 3, "made", "g"],
    ["src/code.ts", 4, "^named$", ""],
    ["src/code.ts", 5, "^(?:^named$)$", "u"],
    ["src/code.ts", 7, "short", "u"],
    ["src/code.ts", 8, "text", ""],
    ["sdk/src/page.js", 1, "script", ""],
    ["migrations/1.sql", 1, "^[0-9]$", ""],
    ["migrations/1.sql", 1, "x", ""],
  ]);
  expect(unread.map(({ line, code: text }) => [line, text])).toEqual([
    [10, "new RegExp(unknown())"],
    [11, "normalize()"],
  ]);
});
