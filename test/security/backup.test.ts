import { execFile } from "node:child_process";
import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { makeDataDir, runCommand } from "../process.ts";

test("the documented backup is for its owner's eyes, and has neither the master key nor other keys in it", async () => {
  const dataDir = await makeDataDir();
  const folder = dirname(dataDir);
  await runCommand(dataDir, ["migrate"]);
  const made = await runCommand(dataDir, ["company", "create", "Boutique Awa", "--json"]);
  const { accessToken, secretKey } = JSON.parse(made.stdout) as Record<string, string>;
  for (const place of ["backups", "elsewhere"]) await mkdir(join(folder, place));

  const commands = (await documented())
    .replaceAll("npm run -s cauri --", `'${process.execPath}' '${packageRoot}/dist/src/main.js'`)
    .replaceAll("/backups/", "backups/")
    .replaceAll("/somewhere/else/", "elsewhere/");
  await promisify(execFile)("sh", ["-ec", commands], { cwd: folder });

  const key = join(folder, "elsewhere/cauri-master.key");
  const archive = join(folder, "backups/cauri-2026-01-31.backup");
  for (const path of [archive, key]) expect((await stat(path)).mode & 0o077).toBe(0);
  const text = gunzipSync(await readFile(archive));
  const masterKey = (await readFile(key, "utf8")).trim();
  expect(text.includes("Boutique Awa")).toBe(true);
  const hidden = [
    masterKey,
    Buffer.from(masterKey, "base64").toString("hex"),
    accessToken,
    secretKey,
  ];
  for (const secret of hidden) expect(text.includes(secret ?? "?")).toBe(false);
});

async function documented(): Promise<string> {
  const text = await readFile(join(packageRoot, "docs/operating.md"), "utf8");
  const block = /\*\*Backup\.\*\*[^`]*```sh\n([\s\S]*?)```/.exec(text)?.[1];
  expect(block).toContain("backup /backups/cauri-2026-01-31.backup");
  return block ?? "";
}
