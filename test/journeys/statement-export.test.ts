import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { makeEmptyDataDir, runCommand } from "../process.ts";

test("a statement that the command line exports is verified without a database, and a changed one is not", async () => {
  const dataDir = await makeEmptyDataDir();
  const { stdout } = await runCommand(dataDir, ["migrate", "--json"]);
  expect(stdout).toContain("0001_companies.sql");
  const made = await runCommand(dataDir, ["company", "create", "Awa", "--fund", "5000", "--json"]);
  const { companyId } = JSON.parse(made.stdout) as { companyId: string };

  for (const format of ["csv", "xlsx", "pdf"]) {
    const output = `${dataDir}/statement.${format}`;
    const command = [
      "statement",
      "export",
      companyId,
      "--format",
      format,
      "--output",
      output,
      "--json",
    ];
    const exported = await runCommand(dataDir, command);
    expect(exported.code, exported.stderr).toBe(0);
    expect(JSON.parse(exported.stdout)).toMatchObject({ lines: 1, closingBalance: 5_000 });
    expect(existsSync(`${output}.partial`)).toBe(false);

    const again = await runCommand(dataDir, command);
    expect([again.code, JSON.parse(again.stderr).error.code]).toEqual([1, "file_exists"]);

    // A folder in which nothing is: no database is asked.
    const nowhere = `${dataDir}/nowhere`;
    const verified = await runCommand(nowhere, ["verify", output]);
    expect(verified.stdout, verified.stderr).toMatch(
      /^VERIFIED: 1 lines of Awa \(com_\w+\), 0 XOF at the opening, 5 000 XOF at the closing\./,
    );
    expect([verified.code, existsSync(nowhere)]).toEqual([0, false]);
  }
  const path = `${dataDir}/statement.csv`;
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(",funding,5000,", ",funding,6000,"));
  const changed = await runCommand(dataDir, ["verify", path]);
  expect([changed.code, changed.stdout.trim()]).toEqual([
    1,
    "NOT VERIFIED. Row 2 (line 3 of the file) was changed.",
  ]);
});
