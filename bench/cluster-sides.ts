import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCompany } from "../src/companies/create-company.ts";
import { Database } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import { shardDatabase, shardsDefault } from "../src/database/shard-database.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { Program } from "../torture/program.ts";
import { cpuMsWithChildren } from "./against/cpu.ts";
import { benchBox, benchMasterKey } from "./keys.ts";
import { companiesMany, fund } from "./many-processes.ts";
import { addPeople } from "./postgres.ts";

const exitOfMissing = 3;
const basePort = 15_800;
export const workers = 2;

/** CPU time that servers have used so far. */
interface ServersCpu {
  readonly coordinatorMs: number;
  readonly workersMs: number;
}

/** A database with companies and people, and the service that accepts for them. */
export interface Side {
  readonly database: Database;
  readonly tokens: readonly string[];
  readonly program: Program;
  /** Starts a service that does nothing but settle. */
  startSettling(): Promise<Program>;
  cpu(): ServersCpu;
}

export interface Sides {
  /** Split over the workers. */
  readonly cluster: Side;
  /** Whole, on the coordinator's server, in a database that knows nothing of Citus. */
  readonly plain: Side;
  stop(): Promise<void>;
}

/** A string: why there are none on this machine. */
export async function startSides(): Promise<Sides | string> {
  const folder = mkdtempSync(join(tmpdir(), "cauri-bench-cluster-"));
  const opened: Database[] = [];
  const programs: Program[] = [];
  const stop = async () => {
    for (const program of programs) await program.end("SIGTERM");
    for (const database of opened) await database.close();
    runScript("stop", folder);
    rmSync(folder, { recursive: true, force: true });
  };
  const started = runScript("start", folder, String(workers));
  if (started.status !== 0) {
    await stop();
    if (started.status === exitOfMissing) return started.stderr.trim();
    throw new Error(`the cluster did not start: ${started.stderr}`);
  }
  const open = async (url: string, isSplit: boolean): Promise<Side> => {
    const database = new Database({ url, poolSize: 2 });
    opened.push(database);
    const tokens = await fill(database);
    if (isSplit) await shardDatabase(database, { shards: shardsDefault, tell: () => {} });
    const start = async (roles: string) => {
      const dataDir = mkdtempSync(join(folder, "service-"));
      const program = new Program(dataDir, {
        DATABASE_URL: url,
        MASTER_KEY: benchMasterKey,
        ROLES: roles,
        LOG_LEVEL: "warn",
        EVENT_LOOP_DELAY_MAX_MS: "0",
      });
      programs.push(program);
      return program.ready();
    };
    const program = await start("api");
    return { database, tokens, program, startSettling: () => start("worker"), cpu: readCpu };
  };
  const readCpu = (): ServersCpu => {
    const [coordinatorMs = 0, ...others] = Array.from({ length: workers + 1 }, (_, node) =>
      cpuMsOfNode(folder, node),
    );
    return { coordinatorMs, workersMs: others.reduce((sum, ms) => sum + ms, 0) };
  };
  try {
    const cluster = await open(started.stdout.trim(), true);
    const plain = await open(await makePlain(folder, started.stdout.trim()), false);
    return { cluster, plain, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill(database: Database): Promise<string[]> {
  await migrate(database);
  const tokens: string[] = [];
  while (tokens.length < companiesMany) {
    const { key } = await createCompany(database, benchBox, {
      name: `Bench ${tokens.length}`,
      fund,
    });
    tokens.push(key.accessToken);
  }
  await addPeople(database);
  return tokens;
}

/** Made by the superuser of the script's, for the same role. */
async function makePlain(folder: string, clusterUrl: string): Promise<string> {
  const admin = new URL(clusterUrl);
  admin.username = "postgres";
  admin.password = readFileSync(join(folder, "superuser"), "utf8").trim();
  admin.pathname = "/postgres";
  const database = new Database({ url: admin.href, poolSize: 1 });
  await database.query({ text: "create database plain owner cauri", values: [] });
  await database.close();
  const plain = new URL(clusterUrl);
  plain.pathname = "/plain";
  return plain.href;
}

function cpuMsOfNode(folder: string, node: number): number {
  const path = join(folder, `node${node}/postmaster.pid`);
  return cpuMsWithChildren(Number(readFileSync(path, "utf8").split("\n")[0])) ?? Number.NaN;
}

function runScript(...parameters: string[]) {
  return spawnSync(join(packageRoot, "deploy/citus/cluster"), parameters, {
    encoding: "utf8",
    env: { ...process.env, BASE_PORT: String(basePort) },
  });
}
