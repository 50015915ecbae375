import { mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findBinaries, restorePackage } from "./binaries.ts";

test("missing library links and execute permissions are put back", async () => {
  const packageDir = await unpackedPackage();
  // Several processes may start at once, each finding the links missing.
  await Promise.all([restorePackage(packageDir), restorePackage(packageDir)]);
  await restorePackage(packageDir);

  const libDir = join(packageDir, "native", "lib");
  expect(await readlink(join(libDir, "libpq.so.5"))).toBe("libpq.so.5.18");
  expect(await readFile(join(libDir, "libpq.so"), "utf8")).toBe("library");
  expect((await stat(join(packageDir, "native", "bin", "initdb"))).mode & 0o777).toBe(0o755);
});

test("the installed programs are found and run", async () => {
  const { initdb, postgres } = await findBinaries();
  for (const program of [initdb, postgres]) expect((await stat(program)).mode & 0o100).toBe(0o100);
});

/** As npm leaves it with install scripts off. */
async function unpackedPackage(): Promise<string> {
  const packageDir = await mkdtemp(join(tmpdir(), "cauri-binaries-"));
  onTestFinished(() => rm(packageDir, { recursive: true, force: true }));
  await mkdir(join(packageDir, "native", "lib"), { recursive: true });
  await mkdir(join(packageDir, "native", "bin"));
  await writeFile(join(packageDir, "native", "lib", "libpq.so.5.18"), "library");
  await writeFile(join(packageDir, "native", "bin", "initdb"), "program", { mode: 0o644 });
  const links = ["libpq.so", "libpq.so.5"].map((name) => ({
    source: "native/lib/libpq.so.5.18",
    target: `native/lib/${name}`,
  }));
  await writeFile(join(packageDir, "native", "pg-symlinks.json"), JSON.stringify(links));
  return packageDir;
}
