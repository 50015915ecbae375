// Runs the tests on a real Citus: npm run test:citus [-- --workers 2] [-- arguments of vitest]. Citus is the one that is installed, or is
// built from CITUS_SOURCE (deploy/citus/build). Where there is neither, that is said, and nothing is run.
// Without --workers one node has everything, which is how most of the tests find what Citus cannot do; with them rows are far away too.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const exitOfMissing = 3;
const basePort = Number(process.env.BASE_PORT ?? 15_600);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const [, workers = "0"] = args[0] === "--workers" ? args.splice(0, 2) : [];

const folder = mkdtempSync(join(tmpdir(), "cauri-citus-"));
const settings = join(folder, "settings");
// As for every test: nothing here has to survive a power cut, and the disk is what is waited for most.
// And the machine may be so busy that a node seems to be away.
writeFileSync(
  settings,
  "fsync = off\nfull_page_writes = off\ncitus.node_connection_timeout = 30000\n",
);
const started = cluster("start", folder, workers);
if (started.status !== 0) {
  process.stderr.write(started.stderr);
  rmSync(folder, { recursive: true, force: true });
  if (started.status !== exitOfMissing) process.exit(1);
  process.stderr.write("The tests on Citus are skipped.\n");
  process.exit(0);
}

const password = readFileSync(join(folder, "superuser"), "utf8").trim();
const nodes = Array.from(
  { length: Number(workers) + 1 },
  (_, node) => `postgres://postgres:${password}@127.0.0.1:${basePort + node}/postgres`,
);
const tests = spawn(
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", ...args],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, TEST_DATABASE_URL: nodes[0], TEST_CITUS_NODES: nodes.join(" ") },
  },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => tests.kill(signal));
tests.once("exit", (code) => {
  cluster("stop", folder);
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});

function cluster(...parameters) {
  return spawnSync(join(root, "deploy/citus/cluster"), parameters, {
    encoding: "utf8",
    env: { ...process.env, BASE_PORT: String(basePort), PG_SETTINGS: settings },
  });
}
