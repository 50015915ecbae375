// Runs the tests behind a failover pair: npm run test:ha [-- arguments of vitest]. Three PostgreSQL servers under Patroni (deploy/ha/cluster),
// of which two confirm every commit, behind HAProxy with the file of deploy/ha. Where something of that is missing, that is said, and nothing is run.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const exitOfMissing = 3;
const basePort = Number(process.env.BASE_PORT ?? 16_000);
const frontPort = basePort + 60;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

const haproxy = "haproxy";
if (spawnSync(haproxy, ["-v"]).status !== 0)
  skip("missing: HAProxy (Debian: haproxy)\n", exitOfMissing);
const folder = mkdtempSync(join(tmpdir(), "cauri-ha-"));
const started = cluster("start", folder);
if (started.status !== 0) {
  rmSync(folder, { recursive: true, force: true });
  skip(started.stderr, started.status);
}

const file = join(folder, "haproxy.cfg");
writeFileSync(file, frontOf(readFileSync(join(root, "deploy/ha/haproxy.cfg"), "utf8")));
const front = spawn(haproxy, ["-db", "-f", file], { stdio: "inherit" });
// Until it has asked twice, HAProxy takes every server for the primary.
await sleep(2_000);
const password = readFileSync(join(folder, "superuser"), "utf8").trim();
const tests = spawn(
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      TEST_DATABASE_URL: `postgres://postgres:${password}@127.0.0.1:${frontPort}/postgres?sslmode=verify-full&sslrootcert=${join(folder, "tls/ca.crt")}`,
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => tests.kill(signal));
tests.once("exit", (code) => {
  front.kill();
  cluster("stop", folder);
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});

/** The same file, with the addresses of this cluster. */
function frontOf(text) {
  const servers = [1, 2, 3].map(
    (node) =>
      `  server db${node} 127.0.0.1:${basePort + 20 + node} check port ${basePort + 10 + node} check-ssl verify required ca-file ${join(folder, "tls/ca.crt")}\n`,
  );
  return text
    .replace(/bind \S+/, `bind 127.0.0.1:${frontPort}`)
    .replace(/( {2}server .*\n)+/, servers.join(""));
}

function skip(why, status) {
  process.stderr.write(why);
  if (status !== exitOfMissing) process.exit(1);
  process.stderr.write("The tests behind a failover pair are skipped.\n");
  process.exit(0);
}

function cluster(...parameters) {
  return spawnSync(join(root, "deploy/ha/cluster"), parameters, {
    encoding: "utf8",
    // Tests open many connections, and may keep the machine so busy that a primary seems to be lost: here none is to be.
    env: { ...process.env, BASE_PORT: String(basePort), CONNECTIONS: "400", TTL: "60" },
  });
}
