import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";

test("the documented backup is for its owner's eyes, and has neither the master key nor other keys in it", () => {
  const folder = mkdtempSync(join(tmpdir(), "cauri-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of [".cauri", ".cauri/postgres", "elsewhere"]) mkdirSync(join(folder, path));
  const kept = ["postgres/PG_VERSION", "postgres.password", "postgres.admin-password"];
  const leftOut = ["master.key", "master.key.old", "demo.json"];
  for (const name of [...kept, ...leftOut]) writeFileSync(join(folder, ".cauri", name), name);

  execFileSync("sh", ["-ec", documented().replaceAll("/somewhere/else", "elsewhere")], {
    cwd: folder,
  });

  const archive = join(folder, "cauri-backup.tgz");
  const names = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).trim().split("\n");
  expect(names.filter((name) => !name.endsWith("/")).toSorted()).toEqual(
    kept.map((name) => `.cauri/${name}`).toSorted(),
  );
  const copied = join(folder, "elsewhere/cauri-master.key");
  expect(readFileSync(copied, "utf8")).toBe("master.key");
  for (const path of [archive, copied]) expect(statSync(path).mode & 0o077).toBe(0);
});

function documented(): string {
  const text = readFileSync(join(packageRoot, "docs/operating.md"), "utf8");
  const block = /\*\*Backup\.\*\*[^`]*(?:`[^`\n]+`[^`]*)*?```sh\n([\s\S]*?)```/.exec(text)?.[1];
  expect(block).toContain("tar ");
  return block ?? "";
}
