import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { endProcess, Program, postmasterPid } from "../torture/program.ts";
import { preparedDataDir } from "./prepared-data-dir.ts";

export { postmasterPid, runCommand } from "../torture/program.ts";

const execute = promisify(execFile);

/** An empty data folder of the test's own; whatever still runs on it at the end is ended, by its id. */
export async function makeEmptyDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-journey-"));
  const dataDir = join(folder, ".cauri");
  onTestFinished(async () => {
    const pid = await postmasterPid(dataDir);
    if (pid !== undefined) await endProcess(pid, "SIGQUIT");
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return dataDir;
}

/** The same with a PostgreSQL in it that was set up and migrated, as `cauri migrate` leaves it. Nobody has used it yet. */
export async function makeDataDir(): Promise<string> {
  const dataDir = await makeEmptyDataDir();
  // It belongs to whoever runs PostgreSQL, and stays theirs.
  await execute("cp", ["-a", await preparedDataDir(), dataDir]);
  return dataDir;
}
/**
 * The compiled program, ended with the test at the latest. It never refuses a request because it is behind: on a busy
 * machine it would, and no test that starts it this way is about that.
 */
export async function startProcess(
  dataDir: string,
  environment: Record<string, string> = {},
  root?: string,
): Promise<Program> {
  const steady = { EVENT_LOOP_DELAY_MAX_MS: "0", ...environment };
  const program = new Program(dataDir, steady, root);
  onTestFinished(() => void program.process.kill("SIGKILL"));
  return program.ready();
}

export async function demoToken(dataDir: string): Promise<string> {
  return (JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")) as { accessToken: string })
    .accessToken;
}

export interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads the fields it expects; a wrong one fails it.
  readonly body: any;
}

export async function call(
  url: string,
  token: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const response = await fetch(url + path, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
  });
  return { status: response.status, body: await response.json() };
}
