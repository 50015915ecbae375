// Makes the checkout ready: dependencies as the lock file says, then the compiled program in dist/.
// Plain JavaScript without imports from npm, because it runs before anything is installed.
// It speaks on standard error, so that `npm run -s cauri -- … --json` prints one JSON value only.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Cauri needs Node.js 20.19 or later; this is ${process.version}.`);
}

const lock = fingerprintOf("package-lock.json");
const installed = join(root, "node_modules/.cauri-installed");
if (stampOf(installed) !== lock) {
  say("Installing the dependencies of package-lock.json (npm ci) …");
  // Install scripts stay off: nothing here needs one, and it is the usual way in for bad packages.
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  writeFileSync(installed, lock);
}

const sdk = fingerprintOfAll([
  "tsconfig.json",
  "sdk/tsconfig.build.json",
  "sdk/tsconfig.commonjs.json",
  ...listed("sdk/src"),
]);
const program = fingerprintOfAll([
  "package.json",
  "tsconfig.json",
  ...["src", "bench", "torture", "scripts"].flatMap(listed),
]);
// The SDK comes first, because the command line calls it.
makeFrom(`${lock} ${sdk}`, "sdk", "sdk/dist/commonjs/main.js", () => {
  say("Compiling the SDK to sdk/dist/ …");
  rmSync(join(root, "sdk/dist"), { recursive: true, force: true });
  // Types are checked by npm run check. Here that would only double the wait of whoever starts it for the first time.
  // The SDK's comments are for whoever calls it: they go with the types, and the program goes without.
  compile("sdk/tsconfig.build.json", "--noCheck", "--removeComments", "--declaration", "false");
  compile("sdk/tsconfig.build.json", "--noCheck", "--emitDeclarationOnly");
  compile("sdk/tsconfig.commonjs.json", "--noCheck", "--removeComments", "--declaration", "false");
  // Both forms have the same types, but a compiler believes each only beside its own programs.
  for (const name of listed("sdk/dist").filter((one) => one.endsWith(".d.ts"))) {
    // Compilers before version 5 refuse an import that ends in .ts.
    const types = readFileSync(join(root, name), "utf8").replaceAll(
      /(from "[^"]+)\.ts"/g,
      '$1.js"',
    );
    for (const folder of ["sdk/dist", "sdk/dist/commonjs"])
      writeFileSync(join(root, name.replace("sdk/dist", folder)), types);
  }
  writeFileSync(join(root, "sdk/dist/commonjs/package.json"), '{ "type": "commonjs" }\n');
});
// Whoever packs the SDK needs nothing of the service.
if (process.argv[2] !== "--sdk")
  makeFrom(`${lock} ${sdk} ${program}`, "built", "dist/src/main.js", () => {
    say("Compiling to dist/ …");
    run(process.execPath, ["scripts/build.mjs"]);
  });
if (process.argv[2] !== "--sdk") noteCommit();

/** Makes what was not made from exactly this, or is gone. */
function makeFrom(source, name, made, make) {
  const stamp = join(root, `dist/.${name}-from`);
  if (stampOf(stamp) === source && existsSync(join(root, made))) return;
  make();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, source);
}

/** For the log line of a start. An image is built without the repository: its builder names the commit. */
function noteCommit() {
  const describe = ["describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=-modified"];
  const { stdout } = existsSync(join(root, ".git"))
    ? spawnSync("git", describe, { cwd: root, encoding: "utf8" })
    : { stdout: process.env["CAURI_COMMIT"] };
  const commit = stdout?.trim() || "unknown";
  const path = join(root, "dist/src/.commit");
  if (stampOf(path) === commit) return;
  try {
    writeFileSync(path, commit);
  } catch (error) {
    // Whoever may not write here runs what another account has built, and that is as it was.
    say(`${path} could not be written: ${error.message}`);
  }
}

function compile(project, ...options) {
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project, ...options]);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (error) fail(`${command} could not be started: ${error.message}`);
  if (status !== 0) fail(`${command} ${args.join(" ")} failed; its messages are above.`);
}

/** The files below a folder, in a fixed order. */
function listed(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}

function fingerprintOfAll(names) {
  const all = createHash("sha256");
  for (const name of names) all.update(name).update(fingerprintOf(name));
  return all.digest("hex");
}

/** Size and contents decide, not times: a checkout or a copy touches every file. */
function fingerprintOf(name) {
  const path = join(root, name);
  if (!existsSync(path) || !statSync(path).isFile()) fail(`${name} is missing from this checkout.`);
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function stampOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function say(message) {
  process.stderr.write(`${message}\n`);
}

function fail(message) {
  say(message);
  process.exit(1);
}
