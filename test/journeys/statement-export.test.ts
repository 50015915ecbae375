import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerKeyOf } from "../../src/statements/seal.ts";
import { makeEmptyDataDir, runCommand } from "../process.ts";

const earlier = join(import.meta.dirname, "../earlier-exports");

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

    // What the operator publishes is in the file too, for whoever compares.
    const text = await readFile(`${dataDir}/statement.csv`, "utf8");
    const [, id = "", publicKey = ""] = /cauri file 1 csv (\w{32}) (\S+) /.exec(text) ?? [];
    // A folder in which nothing is: no database is asked.
    const nowhere = `${dataDir}/nowhere`;
    const alone = await runCommand(nowhere, ["verify", output]);
    expect(alone.stdout, alone.stderr).toMatch(
      /^CONSISTENT, NOT AUTHENTICATED: 1 lines of Awa \(com_\w+\), 0 XOF at the opening, 5 000 XOF at the closing\./,
    );
    expect([alone.code, existsSync(nowhere)]).toEqual([5, false]);
    const told = await runCommand(nowhere, ["verify", output, "--json"]);
    expect(told.code).toBe(5);
    expect(JSON.parse(told.stdout)).toMatchObject({
      verified: false,
      consistent: true,
      authenticated: false,
      problem: null,
    });

    for (const [keys, code, start, flags] of [
      [[{ id, publicKey }], 0, "VERIFIED: 1 lines of Awa", [true, true, true]],
      [[ledgerKeyOf(Buffer.alloc(32, 9))], 1, "NOT VERIFIED. ", [false, false, false]],
    ] as const) {
      const key = `${dataDir}/keys.json`;
      const published = keys.map((one) => ({ id: one.id, publicKey: one.publicKey }));
      await writeFile(key, JSON.stringify({ keys: published }));
      const said = await runCommand(nowhere, ["verify", output, "--key", key]);
      expect([said.code, said.stdout.slice(0, start.length)]).toEqual([code, start]);
      const json = await runCommand(nowhere, ["verify", output, "--key", key, "--json"]);
      const { verified, consistent, authenticated } = JSON.parse(json.stdout) as Record<
        string,
        boolean
      >;
      expect([json.code, [verified, consistent, authenticated]]).toEqual([code, flags]);
    }
  }
  const rows = `${dataDir}/rows.csv`;
  for (const name of ["programs.csv", "excel.csv", "statement.xlsx", "statement.pdf"]) {
    const key = `${earlier}/cauri-ledger.json`;
    await rm(rows, { force: true });
    const said = await runCommand(dataDir, [
      "verify",
      `${earlier}/${name}`,
      "--key",
      key,
      "--rows",
      rows,
    ]);
    expect([said.code, said.stdout]).toEqual([
      6,
      expect.stringMatching(
        /^ROWS VERIFIED, NOT WHAT THE FILE SHOWS: 40 lines of Café de l’Étoile/,
      ),
    ]);
    const written = await readFile(rows, "utf8");
    expect(written).toBe(await readFile(`${earlier}/programs.csv`, "utf8"));
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
