import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as sdk from "@cauri/sdk";
import { describe, expect, onTestFinished } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { commandOf, type Language, whyMissing } from "../../test/languages.ts";

const run = promisify(execFile);
const clients: readonly [language: Language, file: string, suffix: string, before: string][] = [
  ["php", "Cauri.php", "Exception", "<?php\n"],
  ["python", "cauri.py", "Error", ""],
];

describe.for(clients)("the README of the client for %s", ([language, file, suffix, before]) => {
  const folder = join(packageRoot, "sdk", language);
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const program = readFileSync(join(folder, file), "utf8");
  const fence = "```";
  const samples = [
    ...readme.matchAll(
      new RegExp(`${fence}${language}\n([^]*?)${fence}\n\n${fence}text\n([^]*?)${fence}`, "g"),
    ),
  ];

  test("every sample prints what stands under it, with the file alone in a folder outside", async ({
    service,
    db,
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    expect(samples.length).toBeGreaterThan(2);
    expect(readme.split(`${fence}${language}\n`).length - 1).toBe(samples.length);
    const place = await mkdtemp(join(tmpdir(), "cauri-client-"));
    onTestFinished(() => rm(place, { recursive: true }));
    await copyFile(join(folder, file), join(place, file));
    for (const [, sample = "", output = ""] of samples) {
      const { accessToken } = await makeCompany(db.database);
      await writeFile(join(place, "sample"), `${before}${sample}`);
      const { stdout, stderr } = await run(commandOf(language), ["sample"], {
        cwd: place,
        env: { PATH: process.env["PATH"], CAURI_URL: service.url, CAURI_TOKEN: accessToken },
      });

      expect([stdout, stderr]).toEqual([output, ""]);
    }
  });

  test("it names every class that the SDK for TypeScript has, and the file has it", () => {
    const classes = Object.keys(sdk)
      // PHP and Python are not ended by a signal.
      .filter((name) => name.endsWith("Error") && name !== "AbortedError")
      .map((name) => name.replace(/Error$/, suffix));
    expect(classes.length).toBeGreaterThan(15);
    expect(classes.filter((name) => !program.includes(`class ${name}`))).toEqual([]);
    expect(classes.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
    expect(program).toContain(`'${version()}'`.replaceAll("'", language === "php" ? "'" : '"'));
  });
});

function version(): string {
  return JSON.parse(readFileSync(join(packageRoot, "sdk/package.json"), "utf8")).version;
}
