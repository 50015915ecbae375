import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packageRoot } from "../src/kernel/root.ts";
import { NextRelease } from "./next-release.ts";

const run = promisify(execFile);

test("every built program that is named anywhere is where it is said to be", () => {
  const folders = ["bench", "deploy", "docs", "scripts", "src", "test", "torture"];
  const texts = [...folders.flatMap((folder) => filesBelow(folder)), "package.json"];
  const named = texts.flatMap(
    (path) => read(path).match(/\b(?:sdk\/)?dist\/(?:[\w-]+\/)+[\w-]+\.js\b/g) ?? [],
  );

  expect(new Set(named).size).toBeGreaterThan(8);
  expect([...new Set(named)].filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
});

test("errors are called in the program what they are called in the sources: logs and --json say their names", () => {
  const names = [...filesBelow("src"), "sdk/src/errors.ts"]
    .filter((path) => path.endsWith("error.ts") || path.endsWith("errors.ts"))
    .flatMap((path) => [...read(path).matchAll(/class (\w+) extends/g)].map(([, name]) => name));
  const built = newest()
    .filter((path) => /^dist\/src\/.*\.js$/.test(path))
    .map(read)
    .join("\n");

  expect(names.length).toBeGreaterThan(100);
  // A bundler renames a class that has the name of another, or that names itself (in which `new this` helps).
  expect(names.filter((name) => !built.includes(`var ${name} = class extends`))).toEqual([]);
});

test("a command loads neither the service nor its framework, and the service no tracing or passkeys that nobody set up", () => {
  const loadedBy = (path: string) => [...reachableFrom(path)].map(read).join("\n");
  const chunk = (name: string) =>
    newest().find((path) => new RegExp(`^dist/src/chunks/${name}-\\w+\\.js$`).test(path)) ?? name;

  const service = loadedBy("dist/src/serve-process.js");
  expect(service).toContain("// node_modules/fastify/fastify.js");
  expect(service).not.toContain("// src/tracing/open-tracing.ts");
  expect(service).not.toMatch(/^import .*"@simplewebauthn/m);
  for (const entry of ["dist/src/main.js", chunk("company"), chunk("context")]) {
    const command = loadedBy(entry);
    expect(command.length, entry).toBeGreaterThan(1_000);
    expect(command, entry).not.toContain("// node_modules/fastify/");
    expect(command, entry).not.toContain("// src/app.ts");
  }
});

test("a build keeps what the one before it may still load, and nothing older", async () => {
  const release = await NextRelease.make();
  const dist = join(release.root, "dist");
  const files = () => new Set(readdirSync(dist, { recursive: true, encoding: "utf8" }));
  const versionTold = async () => {
    const { stdout } = await run(process.execPath, [join(dist, "src/main.js"), "--version"]);
    return stdout.trim();
  };
  const first = files();
  expect(await versionTold()).toBe("999.0.0");

  await release.rename("999.0.1");
  const second = files();
  expect(await versionTold()).toBe("999.0.1");
  const added = [...second].filter((path) => !first.has(path));
  expect(added.length).toBeGreaterThan(0);
  expect([...first].filter((path) => !second.has(path))).toEqual([]);

  await release.rename("999.0.2");
  const third = files();
  expect(await versionTold()).toBe("999.0.2");
  expect(added.filter((path) => !third.has(path))).toEqual([]);
  expect([...first].filter((path) => !third.has(path)).length).toBe(added.length);
});

/** What is loaded with a file: what it imports, and what that imports, but nothing that waits until it is wanted. */
function reachableFrom(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, target] of read(path).matchAll(
    /^(?:import|\} from|export .* from) ?.*?"(\.[^"]+)";$/gm,
  ))
    reachableFrom(join(dirname(path), target ?? ""), found);
  return found;
}

/** The files of the last build: those of the one before it are there as well. */
function newest(): string[] {
  return read("dist/.files")
    .split("\n")
    .map((name) => `dist/${name}`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(packageRoot.length + 1));
}

function read(path: string): string {
  return readFileSync(join(packageRoot, path), "utf8");
}
