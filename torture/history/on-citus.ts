import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { packageRoot } from "../../src/kernel/root.ts";
import { endProcess, runCommand } from "../program.ts";
import { backendFaults } from "./backends.ts";
import type { OnBase } from "./base.ts";

const script = join(packageRoot, "deploy/citus/cluster");
const exitOfMissing = 3;
const basePort = 15_750;
const workers = 2;
const nodes = [0, 1, 2];
const startTries = 20;

/** The cluster of deploy/citus: a coordinator and two workers, between which the companies are split. */
export const onCitus: OnBase = async (folder, work, root) => {
  // The account that PostgreSQL runs as passes through it.
  await chmod(folder, 0o711);
  const home = `${folder}/cluster`;
  const started = await run("start", home, String(workers));
  if (started.status === exitOfMissing) return started.stderr.trim();
  if (started.status !== 0) throw new Error(`the cluster did not start: ${started.stderr}`);
  const restart = async (node: number) => {
    const pid = await readFile(`${home}/node${node}/postmaster.pid`, "utf8");
    await endProcess(Number.parseInt(pid, 10), "SIGKILL");
    await startAgain(home, node);
  };
  try {
    const superuser = (await readFile(`${home}/superuser`, "utf8")).trim();
    const administer = async <Row extends object>(statement: string) => {
      const rows = await Promise.all(nodes.map((node) => askAt<Row>(node, superuser, statement)));
      return rows.flat();
    };
    const url = started.stdout.trim();
    // While nobody uses it.
    for (const command of [["migrate"], ["shard", "--shards", "4"]]) {
      const settings = { DATABASE_URL: url };
      const done = await runCommand(`${folder}/.cauri`, command, settings, root);
      if (done.code !== 0)
        throw new Error(`the database was not split: ${done.stdout} ${done.stderr}`);
    }
    return await work({
      url,
      faults: [
        ...backendFaults(administer),
        { name: "the coordinator is killed", inflict: () => restart(0) },
        { name: "a worker is killed", inflict: (random) => restart(random.integer(1, workers)) },
      ],
    });
  } finally {
    await run("stop", home);
  }
};

/** Processes that the killed one has left behind may need a moment to end. */
async function startAgain(home: string, node: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { status, stderr } = await run("node", home, String(node));
    if (status === 0) return;
    if (tries === startTries) throw new Error(`node ${node} did not start again: ${stderr}`);
  }
}

async function askAt<Row extends object>(
  node: number,
  password: string,
  statement: string,
): Promise<Row[]> {
  const client = new pg.Client({
    host: "127.0.0.1",
    port: basePort + node,
    user: "postgres",
    password,
    database: "cauri",
  });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Without holding up the clients meanwhile. What it starts keeps its outputs, so its own end is waited for. */
async function run(...parameters: readonly string[]) {
  const child = spawn(script, parameters, {
    env: { ...process.env, BASE_PORT: String(basePort) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [status] = (await once(child, "exit")) as [number | null];
  return { status, stdout, stderr };
}
